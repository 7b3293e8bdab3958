import { createHash } from 'node:crypto'
import { readAddress } from '../contract/addresses.ts'
import { ApiError } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import type { TransactionalDb } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'

/** A count of attempts, such as of those on one account. */
export interface AttemptBucket {
  hash: Buffer
  /** attempts that may fail before the next one must wait */
  free: number
  /** whether other people's attempts count in it too */
  isShared: boolean
  /** the count begins at zero again after this time without an attempt */
  forgottenAfterMs: number
}

// a job deletes older rows
const dayMs = 86_400_000
// a guess that must wait this long is not worth the attacker's time; the owner has other ways in
const longestWaitSeconds = 900

/** The attempts on an account from browsers that the server does not know. @param account an address, or the id of a person */
export const accountBucket = (purpose: string, account: string): AttemptBucket =>
  bucket(`${purpose} account ${account.toLowerCase()}`, { free: 5, isShared: false, forgottenAfterMs: dayMs })

/** The attempts from a browser in which the person signed in before. */
export const browserBucket = (purpose: string, browserId: string, personId: string): AttemptBucket =>
  bucket(`${purpose} browser ${browserId} ${personId}`, { free: 5, isShared: false, forgottenAfterMs: dayMs })

/** The attempts from a network. Many people can share one, so more of them may fail, and they are forgotten soon. */
export const networkBucket = (purpose: string, address: string): AttemptBucket =>
  bucket(`${purpose} network ${networkOf(address)}`, { free: 30, isShared: true, forgottenAfterMs: 3_600_000 })

/** The new passwords that a person tries. To judge one takes the processor up to a second. */
export const newPasswordBucket = (personId: string): AttemptBucket =>
  bucket(`new password ${personId}`, { free: 20, isShared: false, forgottenAfterMs: 3_600_000 })

/** The network of an address: the first 24 bits of IPv4, or 64 bits of IPv6. One subscriber usually has as many. */
export function networkOf(address: string): string {
  const bytes = readAddress(address)
  if (bytes === undefined) return 'unknown'
  return Buffer.from(bytes.subarray(0, bytes.length === 4 ? 3 : 8)).toString('hex')
}

const bucket = (name: string, limits: Omit<AttemptBucket, 'hash'>): AttemptBucket => ({
  hash: createHash('sha256').update(name).digest(),
  ...limits,
})

/**
 * Counts an attempt before it is made, so that attempts at the same time are all counted. After the free failures the next
 * attempt must wait 1 second, then 2, then 4, up to 15 minutes.
 * @throws 429 if an attempt must wait. Then it does not count
 */
export function countAttempt(db: TransactionalDb, buckets: readonly AttemptBucket[], now: string): Promise<void> {
  return db.transaction(async (tx) => {
    for (const one of inOrder(buckets)) await countIn(tx, one, now)
  })
}

async function countIn(tx: Db, { hash, free, forgottenAfterMs }: AttemptBucket, now: string): Promise<void> {
  const freshSince = new Date(Date.parse(now) - forgottenAfterMs).toISOString()
  const failures = sql`case when sign_in_failures.updated_at < ${freshSince} then 1 else sign_in_failures.failures + 1 end`
  const counted = await tx.row(sql`
    insert into sign_in_failures (bucket, failures, next_try_at, updated_at) values (${hash}, 1, ${now}, ${now})
    on conflict (bucket) do update set failures = ${failures}, updated_at = greatest(sign_in_failures.updated_at, ${now}),
      next_try_at = ${now}::timestamptz + ${waitAfter(failures, free)}
    where sign_in_failures.next_try_at <= ${now}
    returning bucket`)
  if (counted !== undefined) return
  const row = await tx.row<{ nextTryAt: string }>(sql`
    select next_try_at as "nextTryAt" from sign_in_failures where bucket = ${hash}`)
  throw tooManyAttempts(Date.parse(row?.nextTryAt ?? now) - Date.parse(now))
}

const waitAfter = (failures: Sql, free: number): Sql => sql`
  case when ${failures} <= ${free}::int then 0
    else least(${longestWaitSeconds}::int, power(2, least(${failures} - ${free}::int - 1, 20))) end * interval '1 second'`

function tooManyAttempts(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const message = `Too many attempts failed for this account or from this network; try again in ${seconds} seconds`
  return new ApiError(429, message, 'too_many_attempts', { headers: { 'retry-after': String(seconds) } })
}

/** After an attempt that succeeded: the failures on the account are forgotten. Those of the network stay. */
export async function forgetFailures(db: Db, buckets: readonly AttemptBucket[], now: string): Promise<void> {
  for (const one of inOrder(buckets)) {
    if (one.isShared) await withdraw(db, one, now)
    else await db.rows(sql`delete from sign_in_failures where bucket = ${one.hash}`)
  }
}

/** Takes back an attempt that was counted and could not be made. */
export async function withdrawAttempt(db: Db, buckets: readonly AttemptBucket[], now: string): Promise<void> {
  for (const one of inOrder(buckets)) await withdraw(db, one, now)
}

const withdraw = (db: Db, { hash }: AttemptBucket, now: string) =>
  db.rows(sql`
    update sign_in_failures set failures = greatest(failures - 1, 0), next_try_at = ${now} where bucket = ${hash}`)

// no two transactions wait for each other
const inOrder = (buckets: readonly AttemptBucket[]) => buckets.toSorted((a, b) => a.hash.compare(b.hash))
