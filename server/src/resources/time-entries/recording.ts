import { sql } from '../../db/sql.ts'
import { refused } from '../../http/errors.ts'
import type { Context, Lock } from '../../http/route.ts'
import { type Policies, readPolicies, refuseIfLocked, refuseIfOverlapping } from './policies.ts'
import { labelEntry, storedEntries, type TimeEntry, timeEntryColumns } from './time-entry.ts'

type Writing = Pick<Context<unknown, unknown, unknown, unknown, unknown>, 'db' | 'caller' | 'emit' | 'now'>

type NewEntry = Pick<TimeEntry, 'projectId' | 'memberId' | 'startedAt' | 'endedAt'> &
  Record<string, unknown> & { tagIds?: string[] | undefined }

/**
 * Records time under the organization's policies. An entry without an end runs, and a member has one that runs: the one
 * before is stopped, or the new one refused.
 */
export async function record(writing: Writing, { tagIds = [], ...wanted }: NewEntry): Promise<TimeEntry> {
  const { db, caller, emit, now } = writing
  const { orgId } = caller
  const policies = await readPolicies(db, orgId)
  refuseIfLocked(policies, wanted.startedAt)
  const startedAt = wanted.endedAt === null ? await makeRoom(writing, policies, wanted) : wanted.startedAt
  const entry = { ...wanted, startedAt }
  await refuseIfOverlapping(db, orgId, policies, entry)
  const fields = { ...entry, noOverlap: policies.overlapPolicy === 'reject' }
  const created = await storedEntries.insert(db, orgId, fields, now)
  if (tagIds.length > 0) await labelEntry(db, orgId, created.id, tagIds)
  const labelled = { ...created, tagIds: tagIds.toSorted() }
  emit('time_entry.created', labelled)
  return labelled
}

/** The entry of a member that runs, held until the change is committed. */
export function running(
  { db, caller }: Pick<Writing, 'db' | 'caller'>,
  memberId: string,
  lock: Lock = 'no key update',
) {
  return db.row<TimeEntry>(sql`
    select ${timeEntryColumns} from time_entries
    where time_entries.org_id = ${caller.orgId} and time_entries.member_id = ${memberId}
      and time_entries.ended_at is null and time_entries.deleted_at is null ${sql.lock(lock, sql`time_entries`)}`)
}

/** Ends an entry that runs. Where it would end before it began, it took no time. */
export async function stop({ db, caller, emit, now }: Writing, entry: TimeEntry, at: string): Promise<TimeEntry> {
  const endedAt = at < entry.startedAt ? entry.startedAt : at
  const stopped = await storedEntries.update(db, caller.orgId, entry.id, { endedAt }, now)
  emit('time_entry.updated', stopped, { before: entry })
  return stopped
}

/** @returns when the next one begins: as wanted; or, where that is now, when it is its turn */
async function makeRoom(writing: Writing, { timerPolicy }: Policies, next: { memberId: string; startedAt: string }) {
  const { db, caller, now } = writing
  // of several that start at once, one goes first and the others find it running
  await db.rows(sql`
    select id from members where org_id = ${caller.orgId} and id = ${next.memberId} for no key update`)
  const startedAt = next.startedAt === now ? new Date().toISOString() : next.startedAt
  const previous = await running(writing, next.memberId)
  if (previous === undefined) return startedAt
  if (timerPolicy === 'reject') {
    throw refused(`The entry ${previous.id} of this member is running; stop it first`, 'already_running')
  }
  await stop(writing, previous, startedAt < previous.startedAt ? now : startedAt)
  return startedAt
}
