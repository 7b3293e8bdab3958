import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
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
