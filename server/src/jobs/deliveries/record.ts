import type { Db } from '../../db/db.ts'
import { newId } from '../../db/ids.ts'
import type { Database, Transaction } from '../../db/pool/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { changeByJob } from '../../operations/changes.ts'
import { disable, storedWebhooks, type Webhook } from '../../resources/webhooks/webhook.ts'
import type { Next } from './next.ts'
import type { Consequence } from './retry-policy.ts'

/** One attempt, as the list of deliveries shows it. */
export interface Attempt {
  at: string
  status: number | null
  ms: number
  error: string | null
  /** the beginning of the answer */
  answer: string | null
}

/** What was sent: a webhook as it was, with an event. */
export type Sent = Next & { sequence: number; eventId: string; eventType: string }

/** Records that an event was received. */
export function recordSuccess(db: Database, sent: Sent, attempt: Attempt, now: string): Promise<void> {
  return db.transaction(async (tx) => {
    sendUnflushed(tx)
    const received = { status: 'delivered', nextAttemptAt: null }
    const counted = sql`failures = 0, failing_since = null, retry_at = null, last_success_at = ${now}`
    tx.send(recording(sent, attempt, received, counted, now))
  })
}

/** Records that an attempt failed, with what follows. @returns whether the webhook was disabled */
export function recordFailure(
  db: Database,
  sent: Sent,
  attempt: Attempt,
  { nextAttemptMs, breakUntilMs, busyUntilMs, disable: reason }: Consequence,
  now: string,
): Promise<boolean> {
  const timestamp = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const failed = { status: nextAttemptMs === null ? 'failed' : 'pending', nextAttemptAt: timestamp(nextAttemptMs) }
  // another version may have another URL, which has not failed
  const ifSame = (value: Sql, column: Sql) =>
    sql`${column} = case when version = ${sent.version} then ${value} else ${column} end`
  const counted = sql.join(
    [
      ifSame(sql`failures + 1`, sql`failures`),
      ifSame(sql`coalesce(failing_since, ${attempt.at}::timestamptz)`, sql`failing_since`),
      ifSame(sql`${timestamp(breakUntilMs)}::timestamptz`, sql`retry_at`),
    ],
    ', ',
  )
  const written = recording(sent, attempt, failed, counted, now)
  if (reason === undefined) {
    return db.transaction(async (tx) => {
      sendUnflushed(tx)
      tx.send(written)
      if (busyUntilMs !== null) tx.send(postponing(sent, timestamp(busyUntilMs)))
      return false
    })
  }
  return changeByJob(db, sent.orgId, 'deliveries', async (tx, emit, at) => {
    tx.send("set local lock_timeout = '500ms'")
    await tx.rows(written)
    const before = await tx.row<Webhook>(sql`
      select ${storedWebhooks.columns} from webhooks where org_id = ${sent.orgId} and id = ${sent.id}
        and version = ${sent.version} and status = 'active' and deleted_at is null for no key update`)
    if (before) await disable({ db: tx, emit, now: at }, sent.orgId, before, reason)
    return before !== undefined
  })
}

/** Nothing is repeated before a time either. That is no further failure of what waits, which `updated_at` would say. */
const postponing = ({ orgId, id }: Sent, until: string | null): Sql => sql`
  update deliveries set next_attempt_at = ${until}, version = version + 1
  where org_id = ${orgId} and webhook_id = ${id} and next_attempt_at < ${until}`

/** Deletes a delivery whose event is kept no more. */
export async function dropDelivery(db: Db, { orgId, deliveryId }: Next): Promise<void> {
  await db.rows(sql`delete from deliveries where org_id = ${orgId} and id = ${deliveryId} returning id`)
}

/** Writes nothing new. @throws when nothing can be recorded of a webhook */
export async function proveWritable(db: Database, { orgId, id }: Pick<Next, 'orgId' | 'id'>): Promise<void> {
  await db.transaction(async (tx) => {
    sendUnflushed(tx)
    tx.send(sql`update webhooks set position = position where org_id = ${orgId} and id = ${id}`)
  })
}

/** A database that was brought back to an earlier state has fewer events: a webhook goes on with those that follow. */
export async function comeBackTo(
  db: Db,
  { orgId, id, position }: Pick<Next, 'orgId' | 'id' | 'position'>,
): Promise<void> {
  await db.rows(sql`
    update webhooks set position = event_counters.last_sequence from event_counters
    where webhooks.org_id = ${orgId} and webhooks.id = ${id} and webhooks.position = ${position}
      and event_counters.org_id = ${orgId} and event_counters.last_sequence < webhooks.position`)
}

/** Notes that no event up to `to` is for a webhook, unless it changed meanwhile. @returns whether it was noted */
export async function skipTo(
  db: Db,
  { orgId, id, version, position }: Pick<Next, 'orgId' | 'id' | 'version' | 'position'>,
  to: number,
): Promise<boolean> {
  const skipped = await db.row(sql`
    update webhooks set position = ${to}
    where org_id = ${orgId} and id = ${id} and version = ${version} and position = ${position} returning id`)
  return skipped !== undefined
}

// should it be lost when the database crashes, the event is sent once more: that is no reason to wait for a disk. Nor are
// others to wait for a row that somebody holds: it is tried again
function sendUnflushed(tx: Transaction): void {
  tx.send('set local synchronous_commit = off')
  tx.send("set local lock_timeout = '20ms'")
}

/**
 * The delivery, made by its first attempt, and how far its webhook is. One that was to be repeated is left alone if it
 * changed meanwhile, as by a wish to send it again; a position that was set anew meanwhile stays.
 */
function recording(
  { orgId, id, sequence, position, deliveryId, deliveryVersion, eventId, eventType }: Sent,
  attempt: Attempt,
  { status, nextAttemptAt }: { status: string; nextAttemptAt: string | null },
  counted: Sql,
  now: string,
): Sql {
  const text = JSON.stringify(attempt)
  const isRepeated = deliveryId !== null
  const same = isRepeated ? sql`and deliveries.version = ${deliveryVersion}` : sql.empty
  // what is replayed has ten attempts again
  const attemptCount = isRepeated ? sql`attempt_count + 1` : sql`1`
  const values = sql`${status}::text, json_build_array(${text}::json), 1, ${nextAttemptAt}::timestamptz,
    ${now}::timestamptz, ${now}::timestamptz`
  return sql`
    with known as (
      update deliveries set status = ${status}, next_attempt_at = ${nextAttemptAt}, attempt_count = ${attemptCount},
        attempts = (select json_agg(kept.attempt order by kept.place) from (
          select old.attempt, old.place from json_array_elements(deliveries.attempts) with ordinality old (attempt, place)
          union all select ${text}::json, ${manyAttempts}::bigint order by place desc limit ${mostAttempts}) kept),
        version = version + 1, updated_at = greatest(updated_at, ${now})
      where org_id = ${orgId} and webhook_id = ${id} and sequence = ${sequence} ${same} returning id),
    made as (
      insert into deliveries (org_id, id, webhook_id, sequence, event_id, event_type, status, attempts, attempt_count,
        next_attempt_at, created_at, updated_at)
      select ${orgId}::uuid, ${newId()}::uuid, webhooks.id, ${sequence}::bigint, ${eventId}::uuid,
        ${eventType}::text, ${values}
      from webhooks where webhooks.org_id = ${orgId} and webhooks.id = ${id} and ${!isRepeated}
        and not exists (select from known))
    update webhooks set ${counted},
      position = case when position = ${position} and ${!isRepeated} then ${sequence} else position end
    where org_id = ${orgId} and id = ${id} returning id`
}

/** How many attempts of a delivery are kept. */
const mostAttempts = 20
const manyAttempts = 1_000_000
