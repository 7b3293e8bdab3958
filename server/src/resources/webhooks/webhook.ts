import { z } from 'zod'
import { sharedOrInProject } from '../../access/visibility.ts'
import { refused } from '../../contract/errors.ts'
import { eachOnce, Id, resource, Timestamp, text } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { readHead } from '../../events/head.ts'
import type { Emit } from '../../events/outbox.ts'
import { TypePattern } from '../events/filters.ts'

const longest = 2_048

/**
 * The URL of a receiver, stored as URL parsers write it. It does not check whether the server may send to the address.
 */
const ReceiverUrl = z
  .string('Must be a string')
  .max(longest, `Must have at most ${longest} characters`)
  .refine((text) => !gap.test(text) && isWeb(text), 'Must be a URL such as https://example.com/hook')
  .overwrite((text) => (URL.canParse(text) ? new URL(text).href : text))
  // characters outside ASCII take more room in the stored form
  .max(longest, `Must have at most ${longest} characters as it is sent`)
  .refine((text) => !text.includes('#'), 'Must not have a fragment, because it is never sent')
  .refine(
    (text) => !(URL.canParse(text) && hasUser(new URL(text))),
    'Must not have a user or a password; verify the signature instead',
  )
  .meta({
    description:
      'The URL that receives events by POST. It must be public and use https. The operator can allow others with ' +
      '`WEBHOOK_ALLOWED_SUBNETS`.',
    format: 'uri',
    pattern: '^https?://([A-Za-z][A-Za-z0-9.-]*|[0-9.]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?([/?][!-"$-~]*)?$',
    examples: ['https://example.com/taskwright'],
  })

// URL parsers silently remove these
const gap = /[\s\p{Cc}]/u

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const hasUser = ({ username, password }: URL) => username !== '' || password !== ''

const Types = eachOnce(z.array(TypePattern).max(100, 'Must have at most 100 items'), 'a type').meta({
  description:
    'The event types to send, such as `task.created`, or `task.*` for all events of tasks. Empty: all types.',
})

const fields = {
  url: ReceiverUrl,
  types: Types,
  projectId: Id.nullable().meta({ description: 'Only events of this project. Null: of the whole organization.' }),
  description: text(0, 5_000).nullable(),
  status: z.enum(['active', 'paused', 'disabled']).meta({
    description:
      'Unless it is active, the webhook receives nothing. New events wait until you resume it, for as long as ' +
      'events are stored.',
  }),
  disabledReason: z
    .enum(['gone', 'failing'])
    .nullable()
    .meta({
      description:
        'Why the server disabled it. gone: the receiver responded with 410. failing: the receiver accepted nothing ' +
        'for five days.',
      examples: [null],
    }),
  formerSecretUntil: Timestamp.nullable().meta({
    description: 'Until then, deliveries are also signed with the previous secret.',
    examples: [null],
  }),
}

/** A URL that receives events. */
export const Webhook = resource('Webhook', 'A URL that receives events.', fields)
export type Webhook = z.output<typeof Webhook>

/** A webhook with its secret. Only the responses that create a secret contain it. */
export const NewWebhookSecret = resource('NewWebhook', 'A webhook with its secret. The secret is never shown again.', {
  ...fields,
  secret: z
    .string()
    .regex(/^whsec_[0-9A-Za-z+/]{43}=$/)
    .meta({
      ...{ maxLength: 50, examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='] },
      description: 'Verifies the signatures of deliveries. Use any library for Standard Webhooks.',
    }),
})

/** The table of webhooks. */
export const storedWebhooks = table('webhooks', Webhook, {
  noun: 'webhook',
  tells: {
    paused: 'A webhook was paused. It receives no more events.',
    resumed: 'A webhook was resumed. It receives events again.',
    disabled: 'The server disabled a webhook. `disabledReason` says why.',
    secret_rotated:
      'The secret of a webhook was rotated. Until `formerSecretUntil`, deliveries are also signed with the old ' +
      'secret.',
    test: 'Somebody asked for a test event. Only this webhook receives it, even if it does not subscribe to the type.',
    replayed: 'Earlier events are sent to a webhook again.',
    redelivered: 'An event is sent to a webhook again.',
  },
  refersTo: { projectId: 'projects' },
  joins: { deliveries: { webhookId: 'webhooks' } },
})

/** A webhook of the caller's organization. The webhook of a project is hidden and restored with the project. */
export const webhook = sharedOrInProject(storedWebhooks)

/**
 * Condition: the server may send to the webhook now. While its project or organization is deleted, nobody could see the
 * webhook and stop it.
 */
export const maySend: Sql = sql`webhooks.deleted_at is null and webhooks.status = 'active' and exists (
  select from organizations where organizations.org_id = webhooks.org_id and organizations.deleted_since is null)
  and not exists (select from projects where projects.org_id = webhooks.org_id and projects.id = webhooks.project_id
    and projects.deleted_at is not null)`

/** Columns: reset the failures, and try the next event at once. */
export const resetFailures = { failures: 0, failingSince: null, retryAt: null }

/** @throws 412 */
export function refuseUnlessActive({ status }: Webhook): void {
  if (status === 'active') return
  throw refused(`The webhook is ${status}; resume it first`, 'webhook_not_active')
}

/** Disables a webhook until somebody resumes it. New events wait for it. */
export async function disable(
  { db, emit, now }: { db: Db; emit: Emit<'webhook.disabled'>; now: string },
  orgId: string,
  before: Webhook,
  disabledReason: 'gone' | 'failing',
): Promise<void> {
  const disabled = await storedWebhooks.update(db, orgId, before.id, { status: 'disabled', disabledReason }, now)
  emit('webhook.disabled', disabled, { before, orgId })
}

/** Condition: the webhook subscribes to the event. A test event goes only to the tested webhook. */
export const wantsEvent: Sql = sql`case when events.type = 'webhook.test' then events.resource_id = webhooks.id
  else (webhooks.project_id is null or events.project_id = webhooks.project_id)
    and (webhooks.types = '{}' or events.type = any(webhooks.types)
      or split_part(events.type, '.', 1) || '.*' = any(webhooks.types)) end`

/** The sequence up to which a webhook has taken on all events. The caller has locked the webhook. */
export async function positionOf(db: Db, orgId: string, id: string): Promise<number> {
  const row = await db.row<{ position: number }>(sql`
    select position from webhooks where org_id = ${orgId} and id = ${id}`)
  return expected(row, 'A webhook that is held').position
}

/**
 * The position of a webhook that gets other filters: before the first event that waits for it. So the webhook does not
 * receive earlier events that its old filters left out.
 */
export async function positionAfterEdit(db: Db, orgId: string, before: Webhook): Promise<number> {
  const [position, { oldest, latest }] = await Promise.all([positionOf(db, orgId, before.id), readHead(db, orgId)])
  // a resume reports that events are no longer stored
  if (position < oldest - 1) return position
  const end = Math.min(latest, position + mostLookedAt)
  const first = await db.row<{ sequence: number }>(sql`
    select events.sequence from webhooks join events on events.org_id = ${orgId} and ${wantsEvent}
    where webhooks.org_id = ${orgId} and webhooks.id = ${before.id}
      and events.sequence > ${position} and events.sequence <= ${end}
    order by events.sequence limit 1`)
  return first ? first.sequence - 1 : Math.max(position, end)
}

// a webhook that wants none of so many events continues after them
const mostLookedAt = 10_000

/** Retries pending deliveries at once, in order, because the receiver works again or the URL is new. */
export async function retryNow(db: Db, orgId: string, webhookId: string, now: string): Promise<void> {
  await db.rows(sql`
    update deliveries set next_attempt_at = ${now}, updated_at = greatest(updated_at, ${now}), version = version + 1
    where org_id = ${orgId} and webhook_id = ${webhookId} and status = 'pending'`)
}
