import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/**
 * As of which write of an organization something was read: the number of its last event, and the moment that tells it from
 * another one of that number in a database that was put back. Equal where nothing was written in between; null while the last
 * write was that of a server of the version before, which sets no moment.
 */
export type AsOf = string | null

const asOf = (orgId: string): Sql => sql`(
  select case when event_counters.changed_sequence = event_counters.last_sequence then
    event_counters.last_sequence || '.' || (extract(epoch from event_counters.changed_at) * 1000000)::bigint end
  from event_counters where event_counters.org_id = ${orgId})`

/** A further column, `asOf`: a statement that has it tells by itself as of which write it reads. */
export const withAsOf = (orgId: string): Sql => sql.dated(sql`, ${asOf(orgId)} as "asOf"`)

/** As of which write an organization is read now. */
export const readAsOf = async (db: Db, orgId: string): Promise<AsOf> =>
  (await db.row<{ asOf: AsOf }>(sql`select ${asOf(orgId)} as "asOf"`))?.asOf ?? null

/** The same where no time runs in the organization, else null: what sums up time that runs changes by itself. */
export const readAsOfUnlessTimeRuns = async (db: Db, orgId: string): Promise<AsOf> =>
  (
    await db.row<{ asOf: AsOf }>(sql`
      select case when not exists (select from time_entries where time_entries.org_id = ${orgId}
        and time_entries.ended_at is null and time_entries.deleted_at is null) then ${asOf(orgId)} end as "asOf"`)
  )?.asOf ?? null

/** Columns of the counter: by which its last write is known. It is written in the transaction that changes what lists show. */
export const writtenAt = (moment: string, sequence: Sql): Sql =>
  sql`changed_at = ${moment}, changed_sequence = ${sequence}`

/**
 * Makes a change known that has no event: what was read before counts as outdated. For jobs, last in a transaction; what a
 * request changes has an event.
 */
export const changedWithoutEvent = (orgId: string): Sql => sql`
  update event_counters set ${writtenAt(momentBetween(Date.now()), sql`last_sequence`)} where org_id = ${orgId}`

/** A moment that no event has: theirs are whole milliseconds. */
export const momentBetween = (ms: number) => {
  const micros = String(1 + Math.floor(Math.random() * 999)).padStart(3, '0')
  return new Date(ms).toISOString().replace('Z', `${micros}Z`)
}
