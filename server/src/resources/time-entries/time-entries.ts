import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { forbidden, found } from '../../http/errors.ts'
import { Id, Moment } from '../../http/fields.ts'
import { cursorPage, cursorPageOf, cursorQuery } from '../../http/page.ts'
import { type Caller, everyone, type ProjectRole, route } from '../../http/route.ts'
import { member } from '../members/members.ts'
import { refuseIfFinalized } from '../subtasks/rules.ts'
import { subtask } from '../subtasks/subtask.ts'
import { tag } from '../tags/tags.ts'
import { task } from '../tasks/task.ts'
import { refuseIfOrphaned, restoring } from '../trash.ts'
import { filters, matching } from './filters.ts'
import { readmit, readPolicies, refuseIfLocked, refuseIfOverlapping } from './policies.ts'
import { record } from './recording.ts'
import {
  atMostOneEnd,
  atMostOneEndSchema,
  endOf,
  exactlyOneParent,
  exactlyOneParentSchema,
  oneParentAtMost,
  oneParentAtMostSchema,
} from './rules.ts'
import { labelEntry, storedEntries, TimeEntry, timeConstraints, timeEntry, timeEntryColumns } from './time-entry.ts'

const { taskId, subtaskId, description, billable, tagIds } = TimeEntry.shape
const durationSeconds = z.int().min(0).max(3_155_760_000).meta({ description: 'Instead of endedAt.' })
const changeable = z
  .strictObject({
    ...{ taskId, subtaskId, startedAt: Moment, endedAt: Moment.nullable(), durationSeconds },
    ...{ description, billable, tagIds },
  })
  .partial()
const example = { taskId: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f', description: 'A few words' }
const NewTimeEntry = changeable
  .extend({ memberId: Id.optional().meta({ description: 'Default: yourself. For others: leads of the project.' }) })
  .refine(...exactlyOneParent)
  .refine(...atMostOneEnd)
  .meta({ ...exactlyOneParentSchema, ...atMostOneEndSchema, examples: [{ ...example, durationSeconds: 5_400 }] })
const TimeEntryChanges = changeable
  .refine(...oneParentAtMost)
  .refine(...atMostOneEnd)
  .meta({ ...oneParentAtMostSchema, ...atMostOneEndSchema, examples: [{ ...example, billable: true }] })

/** What time is recorded on, and what that takes. */
export const parents = {
  taskId: { to: task, needs: 'contributor' },
  // held against being finalized until the time is committed
  subtaskId: { to: subtask, needs: 'contributor', lock: 'share' },
} as const

/** One's own time takes a contributor, the time of others a lead. */
const needed = ({ memberId }: { memberId: string }, caller: Caller): ProjectRole =>
  memberId === caller.memberId ? 'contributor' : 'lead'

export const timeEntries = [
  route('GET /time-entries', {
    summary: 'List time entries, the latest start first',
    roles: everyone,
    query: z.strictObject({ ...cursorQuery, ...filters }),
    returns: cursorPageOf(TimeEntry),
    handle: ({ db, caller, cursors, query }) =>
      cursorPage<TimeEntry>(
        { db, caller, cursors, query },
        {
          list: 'time-entries',
          columns: timeEntryColumns,
          from: sql`time_entries where ${matching(caller, query)}`,
          after: ({ sortMs = 0, idBound }) =>
            sql`(time_entries.started_at, time_entries.id) < (${new Date(sortMs).toISOString()}, ${idBound})`,
          order: sql`time_entries.started_at desc, time_entries.id desc`,
          sortMs: ({ startedAt }) => Date.parse(startedAt),
        },
      ),
  }),

  route('POST /time-entries', {
    summary: 'Record time on a task or a subtask',
    description: 'Without endedAt and durationSeconds it is running.',
    roles: everyone,
    body: NewTimeEntry,
    references: { ...parents, memberId: { to: member }, tagIds: { to: tag } },
    returns: TimeEntry,
    created: ({ id }) => `/time-entries/${id}`,
    constraints: timeConstraints,
    handle({ db, caller, body, references, emit, now }) {
      const [parent] = [...references.taskId, ...references.subtaskId]
      const { item, role } = found(parent)
      const { memberId = caller.memberId, startedAt = now, durationSeconds, ...own } = body
      refuseOthersTime(memberId, caller, role)
      if ('finalizedAt' in item) refuseIfFinalized(item)
      const endedAt = endOf(startedAt, body) ?? null
      return record({ db, caller, emit, now }, { ...own, projectId: item.projectId, memberId, startedAt, endedAt })
    },
  }),

  route('GET /time-entries/{id}', {
    summary: 'Read a time entry',
    roles: everyone,
    at: timeEntry,
    returns: TimeEntry,
    handle: ({ at }) => at,
  }),

  route('PATCH /time-entries/{id}', {
    summary: 'Edit a time entry, or record it on another task or subtask',
    roles: everyone,
    at: timeEntry,
    needs: needed,
    body: TimeEntryChanges,
    references: { ...parents, tagIds: { to: tag } },
    returns: TimeEntry,
    constraints: timeConstraints,
    async handle({ db, caller, at, body, references, emit, now }) {
      const { orgId } = caller
      const [onto] = [...references.taskId, ...references.subtaskId]
      if (onto) refuseOthersTime(at.memberId, caller, onto.role)
      await refuseIfFrozen(db, orgId, at)
      const parent = onto?.item
      if (parent && 'finalizedAt' in parent) refuseIfFinalized(parent)
      const { tagIds, durationSeconds, taskId, subtaskId, startedAt = at.startedAt, ...own } = body
      const endedAt = endOf(startedAt, body, at.endedAt) ?? null
      const policies = await readPolicies(db, orgId)
      refuseIfLocked(policies, at.startedAt, startedAt)
      const moved = startedAt !== at.startedAt || endedAt !== at.endedAt
      if (moved) await refuseIfOverlapping(db, orgId, policies, { ...at, startedAt, endedAt })
      if (tagIds) await labelEntry(db, orgId, at.id, tagIds)
      const on = parent && { taskId: taskId ?? null, subtaskId: subtaskId ?? null, projectId: parent.projectId }
      // what stays where it was may go on overlapping what it overlapped before the policy
      const times = moved ? { startedAt, endedAt, noOverlap: policies.overlapPolicy === 'reject' } : {}
      const fields = { ...own, ...on, ...times }
      const changed = await storedEntries.update(db, orgId, at.id, fields, now)
      emit('time_entry.updated', changed, { before: at })
      return changed
    },
  }),

  route('DELETE /time-entries/{id}', {
    summary: 'Delete a time entry',
    roles: everyone,
    at: timeEntry,
    needs: needed,
    async handle({ db, caller: { orgId }, at, emit, now }) {
      await refuseIfFrozen(db, orgId, at)
      refuseIfLocked(await readPolicies(db, orgId), at.startedAt)
      await storedEntries.remove(db, orgId, at.id, now)
      emit('time_entry.deleted', at)
    },
  }),

  restoring({
    path: '/time-entries',
    noun: 'time_entry',
    at: timeEntry,
    returns: TimeEntry,
    stored: storedEntries,
    constraints: timeConstraints,
    async before(db, { orgId }, entry) {
      await refuseIfOrphaned(db, sql`tasks`, orgId, entry.taskId, 'task')
      await refuseIfOrphaned(db, sql`subtasks`, orgId, entry.subtaskId, 'subtask')
      await refuseIfFrozen(db, orgId, entry)
      refuseIfLocked(await readPolicies(db, orgId), entry.startedAt)
      await readmit(db, orgId, sql`time_entries.id = ${entry.id}`)
    },
  }),
]

/** @throws 403 for the time of others, unless the caller leads the project that it is recorded in */
function refuseOthersTime(memberId: string, caller: Caller, role: ProjectRole): void {
  if (memberId === caller.memberId || role === 'lead') return
  throw forbidden('Time of others is recorded by leads of the project', 'missing_project_role')
}

/** @throws 412 when the entry is on a finalized subtask, which is held as it is until the change is committed */
async function refuseIfFrozen(db: Db, orgId: string, { subtaskId }: TimeEntry): Promise<void> {
  if (subtaskId === null) return
  refuseIfFinalized(
    found(
      await db.row<{ finalizedAt: string | null }>(sql`
        select finalized_at as "finalizedAt" from subtasks
        where org_id = ${orgId} and id = ${subtaskId} and deleted_at is null for share`),
    ),
  )
}
