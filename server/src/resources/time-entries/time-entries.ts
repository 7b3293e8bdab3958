import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { forbidden, found, refused } from '../../http/errors.ts'
import { Id, ids, Moment, resource, Timestamp, text } from '../../http/fields.ts'
import { cursorPage, cursorPageOf, cursorQuery } from '../../http/page.ts'
import { type Caller, everyone, type ProjectRole, route } from '../../http/route.ts'
import { inProject, seesProject } from '../access.ts'
import { member } from '../members/members.ts'
import { refuseIfFinalized } from '../subtasks/rules.ts'
import { subtask } from '../subtasks/subtasks.ts'
import { tag } from '../tags/tags.ts'
import { task } from '../tasks/tasks.ts'
import {
  atMostOneEnd,
  atMostOneEndSchema,
  endOf,
  exactlyOneParent,
  exactlyOneParentSchema,
  oneParentAtMost,
  oneParentAtMostSchema,
} from './rules.ts'

/** Time that a member worked on a task or a subtask. */
export const TimeEntry = resource('TimeEntry', 'Time that a member worked on a task or a subtask.', {
  taskId: Id.nullable(),
  subtaskId: Id.nullable().meta({ examples: [null] }),
  projectId: Id.meta({ description: 'The project of its task or subtask.' }),
  memberId: Id,
  startedAt: Timestamp.meta({ examples: ['2026-01-31T08:00:00.000Z'] }),
  endedAt: Timestamp.nullable().meta({ description: 'Null: it is running.' }),
  durationSeconds: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Whole seconds; null while it is running.', examples: [5400] }),
  description: text(0, 5_000).nullable(),
  billable: z.boolean(),
  tagIds: ids(50).meta({ description: 'Ascending.' }),
})
export type TimeEntry = z.output<typeof TimeEntry>

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

const columns = sql`time_entries.id, time_entries.task_id as "taskId", time_entries.subtask_id as "subtaskId",
  time_entries.project_id as "projectId", time_entries.member_id as "memberId",
  time_entries.started_at as "startedAt", time_entries.ended_at as "endedAt",
  floor(extract(epoch from time_entries.ended_at - time_entries.started_at))::bigint as "durationSeconds",
  time_entries.description, time_entries.billable, array(select tag_id from time_entry_tags
    where time_entry_tags.org_id = time_entries.org_id and time_entry_tags.time_entry_id = time_entries.id
    order by tag_id) as "tagIds",
  time_entries.version, time_entries.created_at as "createdAt", time_entries.updated_at as "updatedAt"`

const constraints = {
  time_entries_running: () => refused('Another entry of this member is running; stop it first', 'already_running'),
}

const stored = table<TimeEntry>(sql`time_entries`, columns)

/** Time in a project that the caller sees. */
export const timeEntry = inProject<TimeEntry>(sql`time_entries`, columns)

const parents = {
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
    query: z.strictObject({
      ...cursorQuery,
      memberId: Id.optional(),
      projectId: Id.optional(),
      taskId: Id.optional(),
      subtaskId: Id.optional(),
      tagId: Id.optional(),
    }),
    returns: cursorPageOf(TimeEntry),
    handle: ({ db, caller, cursors, query }) => {
      const { orgId } = caller
      const conditions = sql.all(
        sql`time_entries.org_id = ${orgId} and time_entries.deleted_at is null
          and ${seesProject(caller, sql`time_entries.project_id`)}`,
        query.memberId && sql`time_entries.member_id = ${query.memberId}`,
        query.projectId && sql`time_entries.project_id = ${query.projectId}`,
        query.taskId && sql`time_entries.task_id = ${query.taskId}`,
        query.subtaskId && sql`time_entries.subtask_id = ${query.subtaskId}`,
        query.tagId &&
          sql`exists (select from time_entry_tags where time_entry_tags.org_id = ${orgId}
            and time_entry_tags.time_entry_id = time_entries.id and time_entry_tags.tag_id = ${query.tagId})`,
      )
      return cursorPage<TimeEntry>(
        { db, caller, cursors, query },
        {
          list: 'time-entries',
          columns,
          from: sql`time_entries where ${conditions}`,
          after: ({ sortMs = 0, idBound }) =>
            sql`(time_entries.started_at, time_entries.id) < (${new Date(sortMs).toISOString()}, ${idBound})`,
          order: sql`time_entries.started_at desc, time_entries.id desc`,
          sortMs: ({ startedAt }) => Date.parse(startedAt),
        },
      )
    },
  }),

  route('POST /time-entries', {
    summary: 'Record time on a task or a subtask',
    description: 'Without endedAt and durationSeconds it is running.',
    roles: everyone,
    body: NewTimeEntry,
    references: { ...parents, memberId: { to: member }, tagIds: { to: tag } },
    returns: TimeEntry,
    created: ({ id }) => `/time-entries/${id}`,
    constraints,
    async handle({ db, caller, body, references, emit, now }) {
      const [parent] = [...references.taskId, ...references.subtaskId]
      const { item, role } = found(parent)
      const { memberId = caller.memberId, startedAt = now } = body
      refuseOthersTime(memberId, caller, role)
      if ('finalizedAt' in item) refuseIfFinalized(item)
      const { tagIds = [], durationSeconds, ...own } = body
      const fields = { ...own, projectId: item.projectId, memberId, startedAt, endedAt: endOf(startedAt, body) ?? null }
      const created = await stored.insert(db, caller.orgId, fields, now)
      if (tagIds.length > 0) await labelEntry(db, caller.orgId, created.id, tagIds)
      const entry = { ...created, tagIds: tagIds.toSorted() }
      emit('time_entry.created', entry)
      return entry
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
    constraints,
    async handle({ db, caller, at, body, references, emit, now }) {
      const { orgId } = caller
      const [onto] = [...references.taskId, ...references.subtaskId]
      if (onto) refuseOthersTime(at.memberId, caller, onto.role)
      await refuseIfFrozen(db, orgId, at)
      const parent = onto?.item
      if (parent && 'finalizedAt' in parent) refuseIfFinalized(parent)
      const { tagIds, durationSeconds, taskId, subtaskId, ...own } = body
      const moved = parent && { taskId: taskId ?? null, subtaskId: subtaskId ?? null, projectId: parent.projectId }
      const endedAt = endOf(own.startedAt ?? at.startedAt, body, at.endedAt)
      if (tagIds) await labelEntry(db, orgId, at.id, tagIds)
      const changed = await stored.update(db, orgId, at.id, { ...own, ...moved, endedAt }, now)
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
      await stored.remove(db, orgId, at.id, now)
      emit('time_entry.deleted', at)
    },
  }),
]

async function labelEntry(db: Db, orgId: string, entryId: string, tagIds: string[]): Promise<void> {
  await db.rows(sql`
    delete from time_entry_tags where org_id = ${orgId} and time_entry_id = ${entryId} and tag_id <> all(${tagIds})`)
  await db.rows(sql`
    insert into time_entry_tags (org_id, time_entry_id, tag_id)
    select ${orgId}::uuid, ${entryId}::uuid, unnest(${tagIds}::uuid[]) on conflict do nothing`)
}

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
