import { stripRow, withDetaching } from '../../db/detachments.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Emit } from '../../events/outbox.ts'
import type { Context } from '../../operations/context.ts'
import { storedEntries, type TimeEntry } from '../time-entry.ts'
import { removeBelow } from '../trash.ts'
import { isCheckedForOverlap, nextHeldStart, readPolicies, refuseIfLocked, refuseIfRunningInto } from './policies.ts'

/** The context of a write of time. */
export type TimeContext<Type extends string = 'time_entry.updated'> = Pick<Context, 'db' | 'caller' | 'now'> & {
  emit: Emit<Type>
}

/**
 * Ends a running entry, but not before its start.
 * @throws 412 when it would overlap an entry that was recorded ahead
 */
export async function stopEntry(
  { db, caller, emit, now }: TimeContext,
  entry: TimeEntry,
  at: string,
): Promise<TimeEntry> {
  const endedAt = at < entry.startedAt ? entry.startedAt : at
  await refuseIfRunningInto(db, caller, entry, endedAt)
  const noOverlap = isCheckedForOverlap(caller.orgId, sql`time_entries`)
  const stopped = await storedEntries.update(db, caller.orgId, entry.id, { endedAt, noOverlap }, now)
  emit('time_entry.updated', stopped, { before: entry })
  return stopped
}

/**
 * Ends some running entries now, each with an event. If entries must not overlap, an entry ends at the latest at the
 * start of the member's next entry.
 * @param which condition: the time
 */
export async function stopRunning(
  { db, caller: { orgId }, emit, now }: Omit<TimeContext, 'caller'> & { caller: { orgId: string } },
  which: Sql,
): Promise<TimeEntry[]> {
  const running = await db.rows<TimeEntry>(sql`
    select ${storedEntries.columns}${withDetaching(orgId)} from time_entries
    where time_entries.org_id = ${orgId} and ${which} and time_entries.ended_at is null
      and time_entries.deleted_at is null
    order by time_entries.id for no key update of time_entries`)
  if (running.length === 0) return []
  const stopped = await db.rows<TimeEntry>(sql`
    update time_entries set ended_at = greatest(started_at, least(${now}, ${nextHeldStart(orgId, sql`time_entries`)})),
      no_overlap = ${isCheckedForOverlap(orgId, sql`time_entries`)}, version = version + 1, updated_at = greatest(updated_at, ${now})
    where org_id = ${orgId} and id = any(${running.map(({ id }) => id)}) returning ${storedEntries.columns}${withDetaching(orgId)}`)
  const shown = (entry: TimeEntry) => stripRow(entry, storedEntries.strip)
  return running.flatMap((before) => {
    const after = stopped.find(({ id }) => id === before.id)
    if (after === undefined) return []
    emit('time_entry.updated', shown(after), { before: shown(before) })
    return [shown(after)]
  })
}

/**
 * Removes the time on a task or a subtask, with the same deletion time as its parent. Running entries are stopped
 * first.
 * @param onIt condition: the time
 * @throws 412 when some of it is in the locked period
 */
export async function removeTime(context: TimeContext, onIt: Sql): Promise<void> {
  const { db, caller, now } = context
  const { orgId } = caller
  const policies = await readPolicies(db, caller)
  // lock ended entries too, so that none is set running before it is removed
  const { first } = expected(
    await db.row<{ first: string | null }>(sql`
      with held as (
        select time_entries.started_at from time_entries
        where time_entries.org_id = ${orgId} and ${onIt} and time_entries.deleted_at is null
        order by time_entries.id for no key update)
      select min(started_at) as first from held`),
    'A minimum',
  )
  if (first !== null) refuseIfLocked(policies, first)
  await stopRunning(context, onIt)
  await removeBelow(db, sql`time_entries`, orgId, onIt, now)
}
