import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { refused } from '../../contract/errors.ts'
import { sql } from '../../db/sql.ts'
import { readHead, refuseIfExpired } from '../../events/head.ts'
import { route } from '../../operations/route.ts'
import { claimSecretKey } from '../../operations/secrets.ts'
import { newSecret, shownSecret } from './signing-secrets.ts'
import {
  NewWebhookSecret,
  positionOf,
  refuseUnlessActive,
  resetFailures,
  retryNow,
  storedWebhooks,
  Webhook,
  webhook,
} from './webhook.ts'

const Rotation = z.strictObject({
  overlapHours: z.int().min(0).max(168).optional().meta({
    description: 'How many hours deliveries are also signed with the old secret. Default: 24.',
  }),
})

const Replay = z.strictObject({
  after: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({
      description: 'A sequence: events after it are sent again. 0: all events from the first one.',
      examples: [0],
    }),
})

// these work in an archived project too: sending events is not work in the project
const action = { roles: admins, target: webhook, evenArchived: true, returns: Webhook } as const

export const webhookActions = [
  route('POST /webhooks/{id}/rotate-secret', {
    name: 'webhooks.rotateSecret',
    ...action,
    summary: 'Rotate the secret of a webhook',
    description:
      'Only this response shows the new secret. For `overlapHours`, deliveries are signed with both secrets, so ' +
      'the receiver can change to the new one. If you rotate again in that time, the oldest secret stops at once.',
    body: Rotation,
    returns: NewWebhookSecret,
    secret: true,
    emits: ['webhook.secret_rotated'],
    async handle({ db, caller: { orgId }, target, body: { overlapHours = 24 }, secrets, emit, now }) {
      const { seal } = await claimSecretKey(db, secrets)
      const secret = newSecret()
      const overlaps = overlapHours > 0
      const until = new Date(Date.parse(now) + overlapHours * 3_600_000).toISOString()
      const former = {
        formerSecret: overlaps ? sql`webhooks.secret` : null,
        formerSecretUntil: overlaps ? until : null,
      }
      const sealed = seal({ orgId, id: target.id }, secret)
      const changed = await storedWebhooks.update(db, orgId, target.id, { secret: sealed, ...former }, now)
      emit('webhook.secret_rotated', changed, { before: target })
      return { ...changed, secret: shownSecret(secret) }
    },
  }),

  route('POST /webhooks/{id}/test', {
    name: 'webhooks.test',
    ...action,
    summary: 'Send a test event to a webhook',
    description:
      'Sends the event `webhook.test`, even if the webhook does not subscribe to that type. Events that wait for ' +
      'their first attempt are sent before it, also at once. The deliveries of the webhook show the result.',
    emits: ['webhook.test'],
    async handle({ db, caller, target, emit }) {
      refuseUnlessActive(target)
      await db.rows(sql`update webhooks set retry_at = null where org_id = ${caller.orgId} and id = ${target.id}`)
      emit('webhook.test', target)
      return target
    },
  }),

  route('POST /webhooks/{id}/pause', {
    name: 'webhooks.pause',
    ...action,
    summary: 'Pause a webhook',
    description: 'New events wait until you resume the webhook, for as long as events are stored.',
    emits: ['webhook.paused'],
    async handle({ db, caller, target, emit, now }) {
      if (target.status === 'paused') throw refused('The webhook is already paused', 'webhook_paused')
      const paused = { status: 'paused', disabledReason: null }
      const changed = await storedWebhooks.update(db, caller.orgId, target.id, paused, now)
      emit('webhook.paused', changed, { before: target })
      return changed
    },
  }),

  route('POST /webhooks/{id}/resume', {
    name: 'webhooks.resume',
    ...action,
    summary: 'Resume a webhook',
    description:
      'Use this if the webhook is paused or disabled. The server sends the waiting events in order. It ' +
      'immediately tries the deliveries that wait for another attempt. If a waiting event is no longer stored, the ' +
      'response is 412 (`position_expired`). Then replay the events from the oldest stored one, and resume the webhook.',
    emits: ['webhook.resumed'],
    async handle({ db, caller, target, emit, now }) {
      if (target.status === 'active') throw refused('The webhook is already active', 'webhook_active')
      const [head, position] = await Promise.all([readHead(db, caller.orgId), positionOf(db, caller.orgId, target.id)])
      if (position < head.oldest - 1) throw missedSome(position, head.oldest)
      await retryNow(db, caller.orgId, target.id, now)
      const active = { status: 'active', disabledReason: null, ...resetFailures }
      const changed = await storedWebhooks.update(db, caller.orgId, target.id, active, now)
      emit('webhook.resumed', changed, { before: target })
      return changed
    },
  }),

  route('POST /webhooks/{id}/replay', {
    name: 'webhooks.replay',
    ...action,
    summary: 'Replay events to a webhook',
    description:
      'Sends the events after a sequence again, in order and with the same ids. Types and project of the webhook ' +
      'apply. The response is 412 (`position_expired`) if these events are no longer stored. It is 412 ' +
      '(`position_ahead`) if the webhook has not reached that sequence.',
    body: Replay,
    emits: ['webhook.replayed'],
    async handle({ db, caller: { orgId }, target, body: { after }, emit, now }) {
      const [head, position] = await Promise.all([readHead(db, orgId), positionOf(db, orgId, target.id)])
      refuseIfExpired(after, head)
      // a replay may skip events that are no longer stored, because the caller names the sequence
      if (after > Math.max(position, head.oldest - 1))
        throw refused(`The webhook has only reached ${position}`, 'position_ahead')
      const changed = await storedWebhooks.update(db, orgId, target.id, { position: after }, now)
      emit('webhook.replayed', changed, { before: target })
      return changed
    },
  }),
]

const missedSome = (position: number, oldest: number) =>
  refused(
    `Events after ${position} are no longer stored; the oldest is ${oldest}. Replay after ${oldest - 1}, then resume`,
    'position_expired',
  )
