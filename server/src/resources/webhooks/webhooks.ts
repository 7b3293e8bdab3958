import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { seesShared } from '../../access/visibility.ts'
import type { Subnet } from '../../contract/addresses.ts'
import { invalid } from '../../contract/errors.ts'
import { Id, Timestamp } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { newId } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'
import { type IncludeContext, includable } from '../../lists/include.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { valuePerItem } from '../../lists/parts.ts'
import { route } from '../../operations/route.ts'
import { claimSecretKey } from '../../operations/secrets.ts'
import { limits, refuseIfOverLimit } from '../limits.ts'
import { project } from '../project.ts'
import { restoreRoute } from '../trash.ts'
import { readReceiver } from './guard.ts'
import { newSecret, shownSecret } from './signing-secrets.ts'
import {
  NewWebhookSecret,
  positionAfterEdit,
  resetFailures,
  retryNow,
  storedWebhooks,
  Webhook,
  webhook,
} from './webhook.ts'

/** The progress of a webhook. It changes with each event that is sent, without a new version. */
const Progress = z.strictObject({
  position: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ description: 'Every event up to this sequence was handled: sent, tried or skipped.' }),
  lastSuccessAt: Timestamp.nullable(),
  failingSince: Timestamp.nullable().meta({ description: 'Null if the receiver accepted the last event.' }),
  retryAt: Timestamp.nullable().meta({
    description: 'No new event is tried before this, because several in a row failed.',
  }),
})
type Progress = z.output<typeof Progress>

/** The progress of a webhook that was deleted in the meantime. */
const nothing: Progress = { position: 0, lastSuccessAt: null, failingSince: null, retryAt: null }

const besideWebhook = includable<Webhook>(Webhook, 'A webhook', {
  progress: valuePerItem(Progress, nothing, progressOf),
})

async function progressOf({ db, caller }: IncludeContext, ids: string[]): Promise<Map<string, Progress>> {
  const rows = await db.rows<Progress & { id: string }>(sql`
    select id, position, last_success_at as "lastSuccessAt", failing_since as "failingSince", retry_at as "retryAt"
    from webhooks where org_id = ${caller.orgId} and id = any(${ids})`)
  return new Map(rows.map(({ id, ...progress }) => [id, progress]))
}

const { url, types, projectId, description } = Webhook.shape
const WebhookChanges = z.strictObject({ url, types, projectId, description }).partial()
const NewWebhook = WebhookChanges.required({ url: true })

const references = { projectId: { to: project } }

export const webhooks = [
  route('GET /webhooks', {
    name: 'webhooks.list',
    summary: 'List webhooks',
    description: 'Newest first.',
    roles: admins,
    query: z.strictObject({
      ...offsetQuery,
      projectId: Id.optional().meta({ description: 'Only webhooks of this project.' }),
      status: Webhook.shape.status.optional(),
      include: besideWebhook.include,
    }),
    returns: offsetPageOf(besideWebhook.Full),
    async handle(asked) {
      const { db, caller, query } = asked
      const ofProject = query.projectId && sql`webhooks.project_id = ${query.projectId}`
      const status = query.status && sql`webhooks.status = ${query.status}`
      const from = sql`webhooks where ${sql.all(seesShared(caller, sql`webhooks`), ofProject, status)}`
      const order = sql`webhooks.created_at desc, webhooks.id desc`
      const page = await offsetPage<Webhook>(db, { columns: storedWebhooks.columns, from, order }, query)
      return besideWebhook.inPage(asked, page)
    },
  }),

  route('POST /webhooks', {
    name: 'webhooks.create',
    summary: 'Create a webhook',
    description:
      'It receives all events from now on that match its types and project. Only this response shows the secret, ' +
      'which verifies signatures as Standard Webhooks describes. An organization can have at most ' +
      `${limits.webhooksOfOrganization.most} webhooks.`,
    roles: admins,
    body: NewWebhook,
    references,
    returns: NewWebhookSecret,
    created: ({ id }) => `/webhooks/${id}`,
    secret: true,
    emits: ['webhook.created'],
    async handle({ db, caller: { orgId }, body, secrets, allowedSubnets, emit, now }) {
      refuseUnlessReachable(body.url, allowedSubnets)
      await refuseIfFull(db, orgId)
      const { seal } = await claimSecretKey(db, secrets)
      const [id, secret] = [newId(), newSecret()]
      const { latest } = expected(
        await db.row<{ latest: number }>(sql`
          select last_sequence as latest from event_counters where org_id = ${orgId}`),
        'The counter of events',
      )
      const row = { ...body, id, secret: seal({ orgId, id }, secret), position: latest }
      const created = await storedWebhooks.insert(db, orgId, row, now)
      emit('webhook.created', created)
      return { ...created, secret: shownSecret(secret) }
    },
  }),

  route('GET /webhooks/{id}', {
    name: 'webhooks.get',
    summary: 'Get a webhook',
    description: 'The response does not show the secret.',
    roles: admins,
    target: webhook,
    query: z.strictObject({ include: besideWebhook.includeInItem }),
    returns: besideWebhook.Full,
    handle: (asked) => besideWebhook.inItem(asked, asked.target),
  }),

  route('PATCH /webhooks/{id}', {
    name: 'webhooks.update',
    summary: 'Update a webhook',
    description:
      'A new URL resets the failures, and waiting events are tried at once. New types or a new project apply to ' +
      'events that wait and to later ones, not to earlier ones.',
    roles: admins,
    target: webhook,
    evenArchived: true,
    body: WebhookChanges,
    references,
    returns: Webhook,
    emits: ['webhook.updated'],
    async handle({ db, caller, target, body, allowedSubnets, emit, now }) {
      refuseUnlessReachable(body.url, allowedSubnets)
      const { orgId } = caller
      const moves = body.url !== undefined && body.url !== target.url
      const filters = body.types !== undefined || body.projectId !== undefined
      const position = filters ? await positionAfterEdit(db, orgId, target) : undefined
      if (moves) await retryNow(db, orgId, target.id, now)
      const anew = { ...(moves ? resetFailures : {}), position }
      const changed = await storedWebhooks.update(db, orgId, target.id, { ...body, ...anew }, now)
      emit('webhook.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /webhooks/{id}', {
    name: 'webhooks.delete',
    summary: 'Delete a webhook',
    description: 'It receives no more events.',
    roles: admins,
    target: webhook,
    evenArchived: true,
    emits: ['webhook.deleted'],
    async handle({ db, caller, target, emit, now }) {
      await storedWebhooks.remove(db, caller.orgId, target.id, now)
      emit('webhook.deleted', target)
    },
  }),

  restoreRoute(storedWebhooks, {
    name: 'webhooks.restore',
    target: webhook,
    description:
      'You can restore a webhook for 30 days, with its secret. It continues where it stopped: events that happened ' +
      'meanwhile are sent, if they are still stored.',
    evenArchived: true,
    before: ({ db, caller }) => refuseIfFull(db, caller.orgId),
  }),
]

/** Locks the organization, so that concurrent requests do not exceed the limit. @throws 412 */
async function refuseIfFull(db: Db, orgId: string): Promise<void> {
  await db.rows(sql`select org_id from organizations where org_id = ${orgId} for no key update`)
  await refuseIfOverLimit(db, limits.webhooksOfOrganization, { orgId, id: orgId })
}

/** Refuses a URL that the server may not send to, as far as that is known without resolving its name. @throws 422 */
function refuseUnlessReachable(url: string | undefined, allowed: readonly Subnet[]): void {
  if (url === undefined) return
  const target = readReceiver(url, allowed)
  if ('problems' in target) throw invalid({ url: target.problems })
}
