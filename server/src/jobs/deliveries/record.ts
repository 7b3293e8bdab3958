import type { Db } from '../../db/db.ts'
import { newId } from '../../db/ids.ts'
import type { Database, Transaction } from '../../db/pool/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { changeByJob } from '../../operations/changes.ts'
import { disable, storedWebhooks, type Webhook } from '../../resources/webhooks/webhook.ts'
import type { DueWebhook, NextDelivery } from './due.ts'
import type { RetryDecision } from './retry-policy.ts'

/** One attempt, as the list of deliveries shows it. */
export interface Attempt {
  at: string
  status: number | null
  ms: number
  error: string | null
  /** the beginning of the response */
  answer: string | null
}

/** A webhook as it was at the attempt, and the event that was sent. */
export type DeliveredEvent = NextDelivery & { sequence: number; eventId: string; eventType: string; body: string }

/** Records that an event was received. */
export function recordSuccess(db: Database, sent: DeliveredEvent, attempt: Attempt, now: string): Promise<void> {
  return db.transaction(async (tx) => {
    useAsyncCommit(tx)
    tx.send(advanceWebhook(sent, sql`failures = 0, failing_since = null, retry_at = null, last_success_at = ${now}`))
    tx.send(upsertDelivery(sent, attempt, { status: 'delivered', nextAttemptAt: null }, now))
  })
}

/** Records a failed attempt and its consequence. @returns whether the webhook was disabled */
export function recordFailure(
  db: Database,
  sent: DeliveredEvent,
  attempt: Attempt,
  { nextAttemptMs, breakUntilMs, busyUntilMs, disable: reason }: RetryDecision,
  now: string,
): Promise<boolean> {
  const timestamp = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const failed = { status: nextAttemptMs === null ? 'failed' : 'pending', nextAttemptAt: timestamp(nextAttemptMs) }
  // a changed webhook may have another URL, which has not failed
  const ifVersionUnchanged = (value: Sql, column: Sql) =>
    sql`${column} = case when version = ${sent.version} then ${value} else ${column} end`
  const counted = sql.join(
    [
      ifVersionUnchanged(sql`failures + 1`, sql`failures`),
      ifVersionUnchanged(sql`coalesce(failing_since, ${attempt.at}::timestamptz)`, sql`failing_since`),
      ifVersionUnchanged(sql`${timestamp(breakUntilMs)}::timestamptz`, sql`retry_at`),
    ],
    ', ',
  )
  if (reason === undefined) {
    return db.transaction(async (tx) => {
      useAsyncCommit(tx)
      tx.send(advanceWebhook(sent, counted))
      tx.send(upsertDelivery(sent, attempt, failed, now))
      if (busyUntilMs !== null) tx.send(postponePending(sent, timestamp(busyUntilMs)))
      return false
    })
  }
  return changeByJob(db, sent.orgId, 'deliveries', async (tx, emit, at) => {
    tx.send("set local lock_timeout = '500ms'")
    tx.send(advanceWebhook(sent, counted))
    tx.send(upsertDelivery(sent, attempt, failed, now))
    const before = await tx.row<Webhook>(sql`
      select ${storedWebhooks.columns} from webhooks where org_id = ${sent.orgId} and id = ${sent.id}
        and version = ${sent.version} and status = 'active' and deleted_at is null for no key update`)
    if (before) await disable({ db: tx, emit, now: at }, sent.orgId, before, reason)
    return before !== undefined
  })
}

// do not wait for the disk: if a crash of the database loses the record, the event is sent once more. Do not make others
// wait for a locked row either: the caller tries again
function useAsyncCommit(tx: Transaction): void {
  tx.send('set local synchronous_commit = off')
  tx.send("set local lock_timeout = '20ms'")
}

/** Advances the webhook. A position that somebody set in the meantime stays. */
const advanceWebhook = ({ orgId, id, sequence, position, deliveryId }: DeliveredEvent, counted: Sql): Sql => sql`
  update webhooks set ${counted},
    position = case when position = ${position} and ${deliveryId === null} then ${sequence} else position end
  where org_id = ${orgId} and id = ${id}`

/**
 * Records an attempt on its delivery. The first attempt creates the delivery. A repeated delivery stays as it is if it changed
 * in the meantime, for example by a request to send it again. A replayed event starts to count its attempts again.
 */
function upsertDelivery(
  { orgId, id, sequence, deliveryId, deliveryVersion, eventId, eventType }: DeliveredEvent,
  attempt: Attempt,
  { status, nextAttemptAt }: { status: string; nextAttemptAt: string | null },
  now: string,
): Sql {
  const text = JSON.stringify(attempt)
  const changed = sql`status = ${status}, next_attempt_at = ${nextAttemptAt}, version = deliveries.version + 1,
    updated_at = greatest(deliveries.updated_at, ${now}), attempts = (jsonb_path_query_array(
      deliveries.attempts::jsonb, ${`$[last - ${mostAttempts - 2} to last]`}::jsonpath) || ${text}::jsonb)::json`
  if (deliveryId !== null)
    return sql`
      update deliveries set ${changed}, attempt_count = attempt_count + 1
      where org_id = ${orgId} and id = ${deliveryId} and version = ${deliveryVersion}`
  return sql`
    insert into deliveries (org_id, id, webhook_id, sequence, event_id, event_type, status, attempts, attempt_count,
      next_attempt_at, created_at, updated_at)
    select ${orgId}::uuid, ${newId()}::uuid, webhooks.id, ${sequence}::bigint, ${eventId}::uuid, ${eventType}::text,
      ${status}::text, json_build_array(${text}::json), 1, ${nextAttemptAt}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz
    from webhooks where webhooks.org_id = ${orgId} and webhooks.id = ${id}
    on conflict (org_id, sequence, webhook_id) do update set ${changed}, attempt_count = 1`
}

/** The most attempts that a delivery keeps. */
const mostAttempts = 20

/** Postpones pending deliveries. `updated_at` stays: `isThirdFailure` reads it as the time of the last failure. */
const postponePending = ({ orgId, id }: DeliveredEvent, until: string | null): Sql => sql`
  update deliveries set next_attempt_at = ${until}, version = version + 1
  where org_id = ${orgId} and webhook_id = ${id} and next_attempt_at < ${until}`

/** Whether at least three different events have failed since a webhook began to fail, this one included. */
export async function isThirdFailure(
  db: Db,
  { orgId, id, sequence }: DeliveredEvent,
  failingSince: string,
): Promise<boolean> {
  const others = await db.rows(sql`
    select deliveries.id from deliveries
    where deliveries.org_id = ${orgId} and deliveries.webhook_id = ${id} and deliveries.status = 'pending'
      and deliveries.updated_at >= ${failingSince} and deliveries.sequence <> ${sequence} limit 2`)
  return others.length === 2
}

/** Deletes a delivery of an expired event. */
export async function dropDelivery(db: Db, { orgId, deliveryId }: NextDelivery): Promise<void> {
  await db.rows(sql`delete from deliveries where org_id = ${orgId} and id = ${deliveryId}`)
}

/** Moves a webhook past events that it does not want, unless it changed in the meantime. */
export async function skipEventsTo(db: Db, { orgId, id, version, position }: NextDelivery, to: number): Promise<void> {
  await db.rows(sql`
    update webhooks set position = ${to}
    where org_id = ${orgId} and id = ${id} and version = ${version} and position = ${position}`)
}

/** Writes a row without changing it. @throws if the database cannot record deliveries of the webhook */
export async function proveWritable(db: Database, { orgId, id }: DueWebhook): Promise<void> {
  await db.transaction(async (tx) => {
    useAsyncCommit(tx)
    tx.send(sql`update webhooks set position = position where org_id = ${orgId} and id = ${id}`)
  })
}
