import type { Db } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { found, refused } from '../../http/errors.ts'
import type { Caller } from '../../http/route.ts'
import { queued, seesProject } from '../access.ts'
import type { TimeEntry } from './time-entry.ts'

/** What an organization settled for its time. */
export interface Policies {
  timerPolicy: 'stop_previous' | 'reject'
  overlapPolicy: 'allow' | 'reject'
  /** the first moment, in the organization's time zone, at which time may still be changed */
  lockedBefore: string | null
}

/** Reads the policies and holds them until the change that follows them is committed. */
export async function readPolicies(db: Db, { orgId }: Caller): Promise<Policies> {
  return found(
    await db.row<Policies>(sql`
      select timer_policy as "timerPolicy", overlap_policy as "overlapPolicy",
        (time_locked_before::timestamp at time zone timezone) as "lockedBefore"
      from organizations
      where ${queued(sql`organizations.org_id`, 'share', sql`organizations.org_id = ${orgId}`)} for key share`),
  )
}

/** @throws 412 when one of the moments lies in the locked period */
export function refuseIfLocked({ lockedBefore }: Policies, ...moments: string[]): void {
  if (lockedBefore === null || moments.every((moment) => moment >= lockedBefore)) return
  throw refused(`Time before ${lockedBefore} is locked`, 'time_locked')
}

/**
 * Refuses an entry that overlaps another one of its member, where the organization says so. It was this writer's turn
 * with the time of the member, so nobody writes beside it; what came by another way the database compares by itself.
 * @throws 412 that names the other entry, if the caller sees it
 */
export async function refuseIfOverlapping(
  db: Db,
  caller: Caller,
  { overlapPolicy }: Policies,
  entry: Pick<TimeEntry, 'memberId' | 'startedAt' | 'endedAt'> & { id?: string },
): Promise<void> {
  if (overlapPolicy === 'allow') return
  const other = await db.row<Pick<TimeEntry, 'id' | 'projectId'>>(sql`
    select id, project_id as "projectId" from time_entries
    where org_id = ${caller.orgId} and member_id = ${entry.memberId} and deleted_at is null
      and id is distinct from ${entry.id ?? null}
      and tstzrange(started_at, ended_at, '[)') && tstzrange(${entry.startedAt}, ${entry.endedAt}, '[)') limit 1`)
  if (other === undefined) return
  const which = (await sees(db, caller, other)) ? `the entry ${other.id}` : 'an entry that you do not see,'
  throw refused(`The entry overlaps ${which} of the same member`, 'time_overlaps')
}

/** Whether the caller sees an entry that is not deleted by itself. */
export async function sees(db: Db, caller: Caller, { projectId }: Pick<TimeEntry, 'projectId'>): Promise<boolean> {
  return found(await db.row<{ seen: boolean }>(sql`select ${seesProject(caller, sql`${projectId}::uuid`)} as seen`))
    .seen
}

/**
 * Settles time before it returns from deletion under the policies of today, whatever they were when it was written. What
 * overlapped each other before it was deleted may go on doing so.
 * @param which condition: the deleted entries that are about to return
 * @throws 412 when one of them lies in the locked period, or overlaps an entry of its member that is there
 */
export async function readmit(db: Db, caller: Caller, which: Sql): Promise<void> {
  const { orgId } = caller
  const policies = await readPolicies(db, caller)
  const returning = sql`time_entries.org_id = ${orgId} and time_entries.deleted_at is not null and ${which}`
  const first = await db.row<{ startedAt: string }>(sql`
    select time_entries.started_at as "startedAt" from time_entries where ${returning}
    order by time_entries.started_at limit 1`)
  if (first === undefined) return
  refuseIfLocked(policies, first.startedAt)
  // the turn of every member whose time returns
  await db.rows(sql`
    select id from members where org_id = ${orgId} and id in (select member_id from time_entries where ${returning})
    order by id for no key update`)
  const rejects = policies.overlapPolicy === 'reject'
  await db.rows(sql`update time_entries set no_overlap = no_overlap and ${rejects} where ${returning}`)
  if (!rejects) return
  const overlapping = await db.row<{ id: string; otherId: string; projectId: string }>(sql`
    select time_entries.id, other.id as "otherId", other.project_id as "projectId" from time_entries
    join time_entries other on other.org_id = ${orgId} and other.member_id = time_entries.member_id
      and other.deleted_at is null
      and tstzrange(other.started_at, other.ended_at, '[)') && tstzrange(time_entries.started_at, time_entries.ended_at, '[)')
    where ${returning} limit 1`)
  if (overlapping === undefined) return
  const { id, otherId } = overlapping
  const other = (await sees(db, caller, overlapping)) ? `the entry ${otherId}` : 'an entry that you do not see,'
  throw refused(`The entry ${id} overlaps ${other} of the same member`, 'time_overlaps')
}
