import type { Caller } from '../../access/caller.ts'
import { takeAdvisoryLock } from '../../access/locks.ts'
import { inDeletedProject, seesProject } from '../../access/visibility.ts'
import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Context } from '../../operations/context.ts'
import type { TimeEntry } from '../time-entry.ts'

/** The rules of an organization for its time. */
export interface Policies {
  timerPolicy: 'stop_previous' | 'reject'
  overlapPolicy: 'allow' | 'reject'
  /** the end of the locked period, in the organization's time zone */
  lockedBefore: string | null
}

/** The request whose time is checked. A running entry lasts until its `now`. */
type PolicyContext = Pick<Context, 'db' | 'caller' | 'now'>

/** Reads the policies, and locks them until the transaction ends. */
export async function readPolicies(db: Db, { orgId }: Caller): Promise<Policies> {
  const which = sql`organizations.org_id = ${orgId}`
  const [, policies] = await Promise.all([
    takeAdvisoryLock(db, sql`organizations`, sql`organizations.org_id`, 'share', which),
    db.row<Policies>(sql`
      select timer_policy as "timerPolicy", overlap_policy as "overlapPolicy", ${lockedBefore} as "lockedBefore"
      from organizations, lateral (select time_locked_before::timestamp at time zone timezone as midnight) day
      where ${which} for key share of organizations`),
  ])
  return expected(policies, 'The organization')
}

// where clocks go back at midnight, midnight occurs twice, and PostgreSQL returns the later one
const lockedBefore = sql`case when ((midnight - interval '1 hour') at time zone timezone)::date >= time_locked_before
  then midnight - interval '1 hour' else midnight end`

/** @throws 412 when one of the date-times is in the locked period */
export function refuseIfLocked({ lockedBefore }: Policies, ...moments: string[]): void {
  if (lockedBefore === null || moments.every((moment) => moment >= lockedBefore)) return
  throw refused(`Time before ${lockedBefore} is locked; an owner or admin can change the lock`, 'time_locked')
}

/**
 * Refuses an entry that overlaps another entry of its member, if the organization forbids that. The caller has locked
 * the member, so no other request writes their time. A constraint of the database enforces the same rule.
 * @throws 412 with the id of the other entry, if the caller sees it
 */
export async function refuseIfOverlapping(
  checked: PolicyContext,
  { overlapPolicy }: Policies,
  { id, memberId, startedAt, endedAt }: Pick<TimeEntry, 'memberId' | 'startedAt' | 'endedAt'> & { id?: string },
): Promise<void> {
  if (overlapPolicy === 'allow') return
  const entry = sql`select ${id ?? null}::uuid as id, ${memberId}::uuid as member_id,
    ${startedAt}::timestamptz as started_at, ${endedAt}::timestamptz as ended_at`
  await refuseOverlap(checked, entry, id === undefined ? sql.empty : sql`and other.id <> ${id}`)
}

/**
 * Condition of rows `other`: ended entries of the same member, recorded while overlaps were forbidden, if they still
 * are. A running entry is not among them, because the database checks its time only when it ends.
 */
const heldBeside = (
  orgId: string,
  entry: Sql,
): Sql => sql`other.org_id = ${orgId} and other.member_id = ${entry}.member_id
  and other.deleted_at is null and other.no_overlap and not other.gave_way and other.ended_at > other.started_at
  and (select overlap_policy = 'reject' from organizations where organizations.org_id = ${orgId})`

/** SQL: the start of the next such entry, by which a running entry must end; null if there is none. */
export const nextHeldStart = (orgId: string, entry: Sql): Sql => sql`(
  select min(other.started_at) from time_entries other
  where ${heldBeside(orgId, entry)} and other.started_at > ${entry}.started_at)`

/** SQL: whether the database checks overlaps of an entry that ends now: not if it began within another one. */
export const isCheckedForOverlap = (orgId: string, entry: Sql): Sql => sql`(
  (select overlap_policy = 'reject' from organizations where organizations.org_id = ${orgId})
  and not exists (select from time_entries other where ${heldBeside(orgId, entry)}
    and other.started_at <= ${entry}.started_at and other.ended_at > ${entry}.started_at))`

/**
 * @param endedAt the end that a running entry is about to get
 * @throws 412 when the entry would overlap an entry that was recorded ahead; names that entry if the caller sees it
 */
export async function refuseIfRunningInto(db: Db, caller: Caller, entry: TimeEntry, endedAt: string): Promise<void> {
  const next = await db.row<{ id: string; projectId: string; startedAt: string }>(sql`
    select other.id, other.project_id as "projectId", other.started_at as "startedAt" from time_entries running, time_entries other
    where running.org_id = ${caller.orgId} and running.id = ${entry.id} and ${heldBeside(caller.orgId, sql`running`)}
      and other.started_at > running.started_at and other.started_at < ${endedAt} order by other.started_at limit 1`)
  if (next === undefined) return
  const other = (await seesEntry(db, caller, next))
    ? `the time entry ${next.id} of the same member`
    : 'a time entry of the same member that you cannot see'
  throw refused(
    `The time entry would overlap ${other}. It must end by ${next.startedAt}, when that one starts: send an ` +
      'earlier endedAt',
    'time_overlaps',
  )
}

/** Whether the caller sees an entry, if the entry itself is not deleted. */
export async function seesEntry(db: Db, caller: Caller, { projectId }: Pick<TimeEntry, 'projectId'>): Promise<boolean> {
  const row = await db.row<{ seen: boolean }>(sql`select ${seesProject(caller, sql`${projectId}::uuid`)} as seen`)
  return expected(row, 'A value').seen
}

/**
 * Checks deleted time before it is restored, by the current policies. Restored entries may overlap each other, as they
 * did before.
 * @param which condition: the deleted entries that are about to return
 * @throws 412 when one of them is in the locked period, or overlaps an existing entry of its member
 */
export async function checkRestoredTime(checked: PolicyContext, which: Sql): Promise<void> {
  const { db, caller } = checked
  const { orgId } = caller
  const policies = await readPolicies(db, caller)
  const returning = sql`time_entries where time_entries.org_id = ${orgId} and time_entries.deleted_at is not null
    and ${which}`
  const first = await db.row<{ startedAt: string }>(sql`
    select time_entries.started_at as "startedAt" from ${returning} order by time_entries.started_at limit 1`)
  if (first === undefined) return
  refuseIfLocked(policies, first.startedAt)
  // no other request may write time of these members in the meantime
  await db.rows(sql`
    select id from members where org_id = ${orgId} and id in (select time_entries.member_id from ${returning})
    order by id for no key update`)
  const rejects = policies.overlapPolicy === 'reject'
  await db.rows(sql`
    update time_entries set no_overlap = no_overlap and ${rejects}
    where org_id = ${orgId} and id in (select time_entries.id from ${returning})`)
  const coming = sql`select id, member_id, started_at, ended_at from ${returning}`
  if (rejects) await refuseOverlap(checked, coming, sql.empty)
}

/**
 * The same for the time of a project that is about to be restored; that time may be in the locked period. Entries that
 * gave way to other time while the project was deleted must fit again.
 * @throws 412 when they overlap that other time
 */
export async function settleRestoredProject(checked: PolicyContext, projectId: string): Promise<void> {
  const { db, caller } = checked
  const { orgId } = caller
  const { overlapPolicy } = await readPolicies(db, caller)
  const gaveWay = sql`time_entries where org_id = ${orgId} and project_id = ${projectId} and gave_way`
  if (overlapPolicy === 'reject') {
    const coming = sql`select id, member_id, started_at, ended_at from ${gaveWay}`
    await refuseOverlap(checked, coming, sql`and other.project_id <> ${projectId}`)
  }
  await db.rows(sql`
    update time_entries set gave_way = false, no_overlap = no_overlap and ${overlapPolicy === 'reject'}
    where org_id = ${orgId} and id in (select id from ${gaveWay})`)
}

/**
 * Refuses time that overlaps other time of its member. Other time in a deleted project is marked as giving way instead.
 * @param coming query: id, member_id, started_at, ended_at
 * @param further condition that begins with `and`: the `other` entries to look at
 */
async function refuseOverlap(checked: PolicyContext, coming: Sql, further: Sql): Promise<void> {
  const { db, caller, now } = checked
  const { orgId } = caller
  const hidden = inDeletedProject(orgId, sql`other`)
  const overlaps = sql`${overlapping(orgId, coming, now)} ${further}`
  const firstOverlap = () =>
    db.row<Overlap & { hidden: boolean }>(sql`
      select other.id as "otherId", other.project_id as "projectId", ${hidden} as hidden from ${overlaps}
      order by hidden limit 1`)
  let found = await firstOverlap()
  if (found?.hidden) {
    // lock these projects, so that none is restored in the meantime; then look for overlaps again
    await db.rows(sql`
      select id from projects where org_id = ${orgId} and deleted_at is not null
        and id in (select other.project_id from ${overlaps}) order by id for share`)
    found = await firstOverlap()
  }
  if (found === undefined) return
  if (!found.hidden) throw await overlap(checked, coming, found)
  await db.rows(sql`
    update time_entries set gave_way = true
    where org_id = ${orgId} and not gave_way and id in (select other.id from ${overlaps} and ${hidden})`)
}

/** SQL: the time range of an entry. A running one lasts up to and including now. */
const taken = (entry: Sql, now: string): Sql => sql`tstzrange(${entry}.started_at,
  coalesce(${entry}.ended_at, greatest(${entry}.started_at, ${now}::timestamptz)),
  case when ${entry}.ended_at is null then '[]' else '[)' end)`

// merge the new ranges first: otherwise, the other entries are read once for each of ten thousand new ones
const overlapping = (orgId: string, coming: Sql, now: string): Sql => sql`(
    select member_id, range_agg(${taken(sql`coming`, now)}) as times from (${coming}) coming group by member_id) coming,
    time_entries other
  where other.org_id = ${orgId} and other.member_id = coming.member_id and other.deleted_at is null
    and ${taken(sql`other`, now)} && coming.times`

/** The other entry of an overlap. */
interface Overlap {
  otherId: string
  projectId: string
}

async function overlap({ db, caller, now }: PolicyContext, coming: Sql, met: Overlap) {
  const which = await db.row<{ id: string | null }>(sql`
    select coming.id from (${coming}) coming, time_entries other
    where other.org_id = ${caller.orgId} and other.id = ${met.otherId} and other.member_id = coming.member_id
      and ${taken(sql`other`, now)} && ${taken(sql`coming`, now)} limit 1`)
  const entry = which?.id ? `The time entry ${which.id}` : 'The time entry'
  const other = (await seesEntry(db, caller, met))
    ? `the time entry ${met.otherId} of the same member`
    : 'a time entry of the same member that you cannot see'
  return refused(`${entry} overlaps ${other}`, 'time_overlaps')
}
