import type { Db } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { found, refused } from '../../http/errors.ts'
import type { TimeEntry } from './time-entry.ts'

/** What an organization settled for its time. */
export interface Policies {
  timerPolicy: 'stop_previous' | 'reject'
  overlapPolicy: 'allow' | 'reject'
  /** the first moment, in the organization's time zone, at which time may still be changed */
  lockedBefore: string | null
}

/** Reads the policies and holds them until the change that follows them is committed. */
export async function readPolicies(db: Db, orgId: string): Promise<Policies> {
  return found(
    await db.row<Policies>(sql`
      select timer_policy as "timerPolicy", overlap_policy as "overlapPolicy",
        (time_locked_before::timestamp at time zone timezone) as "lockedBefore"
      from organizations where org_id = ${orgId} for key share`),
  )
}

/** @throws 412 when one of the moments lies in the locked period */
export function refuseIfLocked({ lockedBefore }: Policies, ...moments: string[]): void {
  if (lockedBefore === null || moments.every((moment) => moment >= lockedBefore)) return
  throw refused(`Time before ${lockedBefore} is locked`, 'time_locked')
}

/**
 * Refuses an entry that overlaps another one of its member, where the organization says so. Those that were written
 * under the policy the database compares by itself, racing writers too; this finds those from before it.
 * @throws 412 that names the other entry
 */
export async function refuseIfOverlapping(
  db: Db,
  orgId: string,
  { overlapPolicy }: Policies,
  entry: Pick<TimeEntry, 'memberId' | 'startedAt' | 'endedAt'> & { id?: string },
): Promise<void> {
  if (overlapPolicy === 'allow') return
  const other = await db.row<{ id: string }>(sql`
    select id from time_entries
    where org_id = ${orgId} and member_id = ${entry.memberId} and deleted_at is null
      and id is distinct from ${entry.id ?? null}
      and tstzrange(started_at, ended_at, '[)') && tstzrange(${entry.startedAt}, ${entry.endedAt}, '[)') limit 1`)
  if (other) throw refused(`The entry overlaps the entry ${other.id} of the same member`, 'time_overlaps')
}

/**
 * Settles time before it returns from deletion under the policies of today, whatever they were when it was written.
 * @param which condition: the deleted entries that are about to return
 * @throws 412 when one of them overlaps an entry of its member that is there
 */
export async function readmit(db: Db, orgId: string, which: Sql): Promise<void> {
  const { overlapPolicy } = await readPolicies(db, orgId)
  await db.rows(sql`
    update time_entries set no_overlap = ${overlapPolicy === 'reject'}
    where time_entries.org_id = ${orgId} and time_entries.deleted_at is not null and ${which}`)
  if (overlapPolicy === 'allow') return
  const overlapping = await db.row<{ id: string; otherId: string }>(sql`
    select time_entries.id, other.id as "otherId" from time_entries
    join time_entries other on other.org_id = ${orgId} and other.member_id = time_entries.member_id
      and other.deleted_at is null
      and tstzrange(other.started_at, other.ended_at, '[)') && tstzrange(time_entries.started_at, time_entries.ended_at, '[)')
    where time_entries.org_id = ${orgId} and time_entries.deleted_at is not null and ${which} limit 1`)
  if (overlapping === undefined) return
  const { id, otherId } = overlapping
  throw refused(`The entry ${id} overlaps the entry ${otherId} of the same member`, 'time_overlaps')
}
