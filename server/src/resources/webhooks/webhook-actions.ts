import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { refused } from '../../contract/errors.ts'
import { sql } from '../../db/sql.ts'
import { readHead, refuseIfExpired } from '../../events/head.ts'
import { route } from '../../operations/route.ts'
import { settleKey } from '../../operations/secrets.ts'
import { newSecret, shownSecret } from './signing-secrets.ts'
import {
  NewWebhookSecret,
  positionOf,
  refuseUnlessActive,
  retryNow,
  storedWebhooks,
  unfailed,
  Webhook,
  webhook,
} from './webhook.ts'

const Rotation = z.strictObject({
  overlapHours: z.int().min(0).max(168).optional().meta({
    description: 'How long deliveries are signed with the former secret too; default 24.',
  }),
})

const Replay = z.strictObject({
  after: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({
      description: 'A sequence: what followed on it is sent again; 0: all events from the first one.',
      examples: [0],
    }),
})

// what is on its way to who can no longer be asked is none of the project's work
const action = { roles: admins, target: webhook, evenArchived: true, returns: Webhook } as const

export const webhookActions = [
  route('POST /webhooks/{id}/rotate-secret', {
    name: 'webhooks.rotateSecret',
    ...action,
    summary: 'Give a webhook another secret; the answer alone holds it',
    description:
      'For a while both sign: its receiver takes over the new one in that time. Another rotation meanwhile ends that of the ' +
      'secret before the last at once.',
    body: Rotation,
    returns: NewWebhookSecret,
    secret: true,
    emits: ['webhook.secret_rotated'],
    async handle({ db, caller: { orgId }, target, body: { overlapHours = 24 }, secrets, emit, now }) {
      const { seal } = await settleKey(db, secrets)
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
    summary: 'Send a webhook an event to try it out',
    description:
      'An event `webhook.test`, whatever types it wants. It comes behind what waits to be sent for the first time, which is tried ' +
      'at once, too. Its deliveries tell what came of it.',
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
    summary: 'Pause a webhook: what happens waits for it',
    description: 'For as long as events are kept.',
    emits: ['webhook.paused'],
    async handle({ db, caller, target, emit, now }) {
      if (target.status === 'paused') throw refused('The webhook is paused already', 'webhook_paused')
      const paused = { status: 'paused', disabledReason: null }
      const changed = await storedWebhooks.update(db, caller.orgId, target.id, paused, now)
      emit('webhook.paused', changed, { before: target })
      return changed
    },
  }),

  route('POST /webhooks/{id}/resume', {
    name: 'webhooks.resume',
    ...action,
    summary: 'Resume a webhook that is paused or disabled: what waits is sent to it, in order',
    description:
      'What is to be repeated is repeated at once, too. 412 (`position_expired`) where something that waited is no longer kept: ' +
      'replay it from where the log begins, then it can be resumed.',
    emits: ['webhook.resumed'],
    async handle({ db, caller, target, emit, now }) {
      if (target.status === 'active') throw refused('The webhook is active already', 'webhook_active')
      const [head, position] = await Promise.all([readHead(db, caller.orgId), positionOf(db, caller.orgId, target.id)])
      if (position < head.oldest - 1) throw missedSome(position, head.oldest)
      await retryNow(db, caller.orgId, target.id, now)
      const active = { status: 'active', disabledReason: null, ...unfailed }
      const changed = await storedWebhooks.update(db, caller.orgId, target.id, active, now)
      emit('webhook.resumed', changed, { before: target })
      return changed
    },
  }),

  route('POST /webhooks/{id}/replay', {
    name: 'webhooks.replay',
    ...action,
    summary: 'Send events of before to a webhook again, in order',
    description:
      'All that it wants of those that followed on a sequence, with the ids that they had. 412 (`position_expired`) where these ' +
      'are not kept any more, and (`position_ahead`) where it has not got that far.',
    body: Replay,
    emits: ['webhook.replayed'],
    async handle({ db, caller: { orgId }, target, body: { after }, emit, now }) {
      const [head, position] = await Promise.all([readHead(db, orgId), positionOf(db, orgId, target.id)])
      refuseIfExpired(after, head)
      // what is no longer kept is left behind by who says so
      if (after > Math.max(position, head.oldest - 1))
        throw refused(`The webhook has only got as far as ${position}`, 'position_ahead')
      const changed = await storedWebhooks.update(db, orgId, target.id, { position: after }, now)
      emit('webhook.replayed', changed, { before: target })
      return changed
    },
  }),
]

const missedSome = (position: number, oldest: number) =>
  refused(
    `What followed on ${position} is no longer kept: the oldest event is ${oldest}. Replay it after ${oldest - 1}, then resume it`,
    'position_expired',
  )
