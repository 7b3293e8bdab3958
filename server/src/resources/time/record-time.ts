import { lockMember } from '../../access/locks.ts'
import { leads } from '../../access/visibility.ts'
import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { stripRow, withDetaching } from '../../db/detachments.ts'
import { newTimedId } from '../../db/ids.ts'
import type { RowLock } from '../../db/sql.ts'
import { sql } from '../../db/sql.ts'
import { limits, refuseIfOverLimit } from '../limits.ts'
import { referToTags, storedEntries, type TimeEntry } from '../time-entry.ts'
import { type Policies, refuseIfLocked, refuseIfOverlapping, seesEntry } from './policies.ts'
import { refuseIfYetToStart } from './rules.ts'
import { stopEntry, type TimeContext } from './time-writes.ts'

type NewEntry = Pick<TimeEntry, 'memberId' | 'startedAt' | 'endedAt'> &
  Record<string, unknown> & { tagIds?: string[] | undefined }

/** The task or subtask that time is recorded on. */
export interface TimeParent {
  id: string
  projectId: string
  /** for a subtask: its task */
  taskId?: string
  finalizedAt?: string | null
}

/**
 * Records time under the policies of the organization. An entry without an end is running. A member has at most one
 * running entry: by policy, the server stops the previous one or refuses the new one.
 */
export async function recordTime(
  context: TimeContext<'time_entry.updated' | 'time_entry.created'>,
  policies: Policies,
  parent: TimeParent,
  { tagIds = [], ...wanted }: NewEntry,
): Promise<TimeEntry> {
  const { db, caller, emit, now } = context
  const { orgId } = caller
  const { id, createdAt } = newTimedId()
  const runs = wanted.endedAt === null
  if (runs) refuseIfYetToStart(wanted.startedAt, now)
  refuseIfLocked(policies, wanted.startedAt)
  // of concurrent requests that start a timer or overlap, one goes first, and the others see its write
  if (runs) await refuseUnlessActive(db, orgId, wanted.memberId)
  else if (policies.overlapPolicy === 'reject') await lockMember(db, orgId, wanted.memberId)
  const startedAt = runs ? await stopPrevious(context, policies, wanted) : wanted.startedAt
  const entry = { ...wanted, startedAt }
  await refuseIfOverlapping(context, policies, entry)
  // the database checks a running entry when it ends
  const noOverlap = policies.overlapPolicy === 'reject' && !runs
  const fields = { ...entry, id, projectId: parent.projectId, tagIds: tagIds.toSorted(), noOverlap }
  const on = { orgId, id: taskOf(parent) }
  const [, created] = await Promise.all([
    refuseIfOverLimit(db, limits.timeOnTask, on),
    storedEntries.insert(db, orgId, fields, createdAt),
  ])
  if (tagIds.length > 0) await referToTags(db, orgId, created.id, tagIds)
  emit('time_entry.created', created)
  return created
}

/** The task of a parent: itself, or the task of the subtask. */
export const taskOf = ({ taskId, id }: TimeParent): string => taskId ?? id

/** The running entry of a member, in any project. Locks it by default. */
export async function running(
  { db, caller }: Pick<TimeContext, 'db' | 'caller'>,
  memberId: string,
  lock: RowLock = 'no key update',
): Promise<TimeEntry | undefined> {
  const row = await db.row<TimeEntry>(sql`
    select ${storedEntries.columns}${withDetaching(caller.orgId)} from time_entries
    where time_entries.org_id = ${caller.orgId} and time_entries.member_id = ${memberId}
      and time_entries.ended_at is null and time_entries.deleted_at is null ${sql.lock(lock, sql`time_entries`)}`)
  return row && stripRow(row, storedEntries.strip)
}

/**
 * Locks a member, so that one transaction at a time writes their time.
 * @throws 412 when the member is deactivated or removed: no entry may run for them
 */
export async function refuseUnlessActive(db: Db, orgId: string, memberId: string): Promise<void> {
  if ((await lockMember(db, orgId, memberId))?.status === 'active') return
  throw refused('The member is deactivated or removed, so no time entry can run for them', 'member_not_active')
}

/**
 * Stops the running entry, if the caller may stop it.
 * @returns the start of the next entry: as requested or, if that is now, the time after the wait for the lock
 * @throws 412 when the caller may not stop it
 */
async function stopPrevious(
  context: TimeContext,
  { timerPolicy }: Policies,
  next: { memberId: string; startedAt: string },
) {
  const { db, caller, now } = context
  // while this request waited, the member may have started and stopped another entry
  const startedAt = next.startedAt === now ? new Date().toISOString() : next.startedAt
  const previous = await running(context, next.memberId)
  if (previous === undefined) return startedAt
  const mayStop = next.memberId === caller.memberId || (await leads(db, caller, previous.projectId))
  if (timerPolicy === 'reject' || !mayStop) {
    const which = (await seesEntry(db, caller, previous)) ? `The time entry ${previous.id}` : 'Another time entry'
    throw refused(`${which} of this member is running; stop it first`, 'already_running')
  }
  await stopEntry(context, previous, startedAt < previous.startedAt ? now : startedAt)
  return startedAt
}
