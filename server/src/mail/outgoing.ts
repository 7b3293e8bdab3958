import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { QueuedMail } from './kinds.ts'

/** A mail that this process may try to send. */
export interface ClaimedMail extends QueuedMail {
  kind: string
  /** the number of this attempt, from 1 */
  attempts: number
}

/** How the queue stands. */
interface MailQueue {
  waiting: number
  /** when the oldest waiting mail was queued */
  oldest: string | null
  due: boolean
}

// longer than an attempt may take: the next attempt must not begin before
const leaseMs = 120_000
const triedMs = 24 * 3_600_000

const later = (now: string, ms: number) => new Date(Date.parse(now) + ms).toISOString()

/** 10, 20, 40 … seconds, at most an hour, as the attempts grow. */
const nextTry = (now: string, attempts: Sql): Sql =>
  sql`${now}::timestamptz + least(3600, 10 * power(2, least(${attempts}, 20) - 1)) * interval '1 second'`

/** Reads how the queue stands. */
export async function mailQueue(db: Db, now: string): Promise<MailQueue> {
  const row = await db.row<MailQueue>(sql`
    select count(*)::int as waiting, min(created_at) as oldest, coalesce(min(next_try_at) <= ${now}, false) as due
    from outgoing_mail where next_try_at is not null`)
  return expected(row, 'The queue of mail')
}

/** Claims the mail that is due first, until its lease ends. No other process gets it meanwhile. */
export const claimMail = (tx: Db, now: string): Promise<ClaimedMail | undefined> =>
  tx.row(sql`
    update outgoing_mail set attempts = attempts + 1, next_try_at = ${later(now, leaseMs)}
    where id = (
      select id from outgoing_mail where next_try_at <= ${now} order by next_try_at, id limit 1 for update skip locked)
    returning id, cause, kind, recipient, data, attempts, created_at as "createdAt"`)

/** Whether a mail has been tried for so long that nobody waits for it. */
export const isTooOld = ({ createdAt }: QueuedMail, now: string): boolean =>
  Date.parse(now) - Date.parse(createdAt) > triedMs

/**
 * Stores that the content of a mail is about to go to the SMTP server. From here on nobody tries the mail again unless the
 * server refuses it.
 * @returns false if the claim is no longer ours
 */
export async function markHandedOver(db: Db, { id, attempts }: ClaimedMail, now: string): Promise<boolean> {
  const row = await db.row(sql`
    update outgoing_mail set next_try_at = null, handed_over_at = ${now}
    where id = ${id} and attempts = ${attempts} and next_try_at is not null returning id`)
  return row !== undefined
}

/** Stores that the SMTP server took a mail. */
export async function markSent(db: Db, { id }: ClaimedMail, now: string): Promise<void> {
  await db.rows(sql`
    update outgoing_mail set sent_at = ${now}, failed_at = null, next_try_at = null, last_error = null where id = ${id}`)
}

/** Stores that a mail is given up. @param reason without addresses */
export async function markFailed(db: Db, { id, attempts }: ClaimedMail, reason: string, now: string): Promise<void> {
  await db.rows(sql`
    update outgoing_mail set failed_at = ${now}, next_try_at = null, last_error = ${reason}
    where id = ${id} and attempts = ${attempts} and sent_at is null`)
}

/** Stores that a mail did not arrive, and when to try again. @param reason without addresses */
export async function postponeMail(db: Db, { id, attempts }: ClaimedMail, reason: string, now: string): Promise<void> {
  await db.rows(sql`
    update outgoing_mail set next_try_at = ${nextTry(now, sql`attempts`)}, handed_over_at = null, last_error = ${reason}
    where id = ${id} and attempts = ${attempts} and sent_at is null and failed_at is null`)
}

/** Postpones a mail after the transaction of its claim was rolled back. */
export async function postponeUnwritten(
  db: Db,
  { id, attempts }: ClaimedMail,
  reason: string,
  now: string,
): Promise<void> {
  await db.rows(sql`
    update outgoing_mail set attempts = ${attempts}, next_try_at = ${nextTry(now, sql`${attempts}`)}, last_error = ${reason}
    where id = ${id} and attempts = ${attempts - 1} and next_try_at is not null`)
}

/** Postpones all mail that is due, because the SMTP server cannot be used. Mail that is too old is given up. */
export async function postponeAll(db: Db, reason: string, now: string): Promise<{ postponed: number; failed: number }> {
  const failed = await db.rows(sql`
    update outgoing_mail set failed_at = ${now}, next_try_at = null, last_error = ${reason}
    where next_try_at <= ${now} and created_at < ${later(now, -triedMs)} returning id`)
  const postponed = await db.rows(sql`
    update outgoing_mail set attempts = attempts + 1, next_try_at = ${nextTry(now, sql`attempts + 1`)},
      last_error = ${reason}
    where next_try_at <= ${now} returning id`)
  return { postponed: postponed.length, failed: failed.length }
}

/** Returns a claim that was not used, because the server stops. */
export async function releaseMail(db: Db, { id, attempts }: ClaimedMail, now: string): Promise<void> {
  await db.rows(sql`
    update outgoing_mail set next_try_at = ${now} where id = ${id} and attempts = ${attempts} and next_try_at is not null`)
}

/**
 * Gives up the mails that a process handed over without storing how that ended, because it was killed. Nobody knows whether
 * they arrived, and no mail is sent twice.
 */
export async function settleUnknown(db: Db, reason: string, now: string): Promise<{ id: string; kind: string }[]> {
  return db.rows(sql`
    update outgoing_mail set failed_at = ${now}, last_error = ${reason}
    where handed_over_at < ${later(now, -2 * leaseMs)} and sent_at is null and failed_at is null returning id, kind`)
}
