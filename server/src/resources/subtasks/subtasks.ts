import { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { found, refused } from '../../http/errors.ts'
import { Id, Name, resource, Timestamp } from '../../http/fields.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../http/page.ts'
import { everyone, route } from '../../http/route.ts'
import { inProject, seesProject } from '../access.ts'
import { member } from '../members/members.ts'
import { task } from '../tasks/tasks.ts'
import { refuseIfFinalized } from './rules.ts'

/** A step of a task. */
export const Subtask = resource('Subtask', 'A step of a task. Once finalized it is frozen until it is reopened.', {
  taskId: Id,
  projectId: Id.meta({ description: 'The project of its task.' }),
  name: Name.meta({ examples: ['Buy paint'] }),
  assigneeId: Id.nullable(),
  position: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'Its place among the subtasks of its task, ascending.' }),
  finalizedAt: Timestamp.nullable(),
  finalizedBy: Id.nullable(),
})
export type Subtask = z.output<typeof Subtask>

const { name, assigneeId } = Subtask.shape
const SubtaskChanges = z.strictObject({ name, assigneeId }).partial()
const NewSubtask = SubtaskChanges.required({ name: true })

const columns = sql`subtasks.id, subtasks.task_id as "taskId", subtasks.project_id as "projectId", subtasks.name,
  subtasks.assignee_id as "assigneeId", subtasks.position, subtasks.finalized_at as "finalizedAt",
  subtasks.finalized_by as "finalizedBy", subtasks.version, subtasks.created_at as "createdAt",
  subtasks.updated_at as "updatedAt"`

const stored = table<Subtask>(sql`subtasks`, columns)

/** A subtask of a task in a project that the caller sees. */
export const subtask = inProject<Subtask>(sql`subtasks`, columns)

const assignee = { assigneeId: { to: member } }

export const subtasks = [
  route('GET /tasks/{id}/subtasks', {
    summary: 'List the subtasks of a task, in their order',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(Subtask),
    handle: ({ db, caller, params, query }) =>
      offsetPage<Subtask>(
        db,
        {
          columns,
          from: sql`subtasks where subtasks.org_id = ${caller.orgId} and subtasks.task_id = ${params.id}
            and subtasks.deleted_at is null`,
          order: sql`subtasks.position, subtasks.id`,
          within: sql`exists (select from tasks where tasks.org_id = ${caller.orgId} and tasks.id = ${params.id}
            and tasks.deleted_at is null and ${seesProject(caller, sql`tasks.project_id`)})`,
        },
        query,
      ),
  }),

  route('POST /tasks/{id}/subtasks', {
    summary: 'Add a subtask at the end of a task',
    roles: everyone,
    at: task,
    needs: 'contributor',
    body: NewSubtask,
    references: assignee,
    returns: Subtask,
    created: ({ id }) => `/subtasks/${id}`,
    async handle({ db, caller: { orgId }, at, body, emit, now }) {
      // the task's row is locked, so nobody else takes the same position
      const { position } = found(
        await db.row<{ position: number }>(sql`
          select coalesce(max(position), 0) + 1 as position from subtasks
          where org_id = ${orgId} and task_id = ${at.id} and deleted_at is null`),
      )
      const parents = { taskId: at.id, projectId: at.projectId }
      const created = await stored.insert(db, orgId, { ...body, ...parents, position }, now)
      emit('subtask.created', created)
      return created
    },
  }),

  route('GET /subtasks/{id}', {
    summary: 'Read a subtask',
    roles: everyone,
    at: subtask,
    returns: Subtask,
    handle: ({ at }) => at,
  }),

  route('PATCH /subtasks/{id}', {
    summary: 'Edit a subtask',
    roles: everyone,
    at: subtask,
    needs: 'contributor',
    body: SubtaskChanges,
    references: assignee,
    returns: Subtask,
    async handle({ db, caller, at, body, emit, now }) {
      refuseIfFinalized(at)
      const changed = await stored.update(db, caller.orgId, at.id, body, now)
      emit('subtask.updated', changed, { before: at })
      return changed
    },
  }),

  route('POST /subtasks/{id}/finalize', {
    summary: 'Finalize a subtask: it and its time are frozen',
    roles: everyone,
    at: subtask,
    needs: 'contributor',
    returns: Subtask,
    async handle({ db, caller, at, emit, now }) {
      refuseIfFinalized(at)
      const final = { finalizedAt: now, finalizedBy: caller.memberId }
      const finalized = await stored.update(db, caller.orgId, at.id, final, now)
      emit('subtask.finalized', finalized, { before: at })
      return finalized
    },
  }),

  route('POST /subtasks/{id}/reopen', {
    summary: 'Reopen a finalized subtask',
    roles: everyone,
    at: subtask,
    needs: 'contributor',
    returns: Subtask,
    async handle({ db, caller, at, emit, now }) {
      if (at.finalizedAt === null) throw refused('The subtask is not finalized', 'subtask_not_finalized')
      const reopened = await stored.update(db, caller.orgId, at.id, { finalizedAt: null, finalizedBy: null }, now)
      emit('subtask.reopened', reopened, { before: at })
      return reopened
    },
  }),

  route('DELETE /subtasks/{id}', {
    summary: 'Delete a subtask and its time',
    roles: everyone,
    at: subtask,
    needs: 'contributor',
    async handle({ db, caller: { orgId }, at, emit, now }) {
      refuseIfFinalized(at)
      await db.rows(sql`
        update time_entries set deleted_at = ${now}, updated_at = ${now}, version = version + 1
        where org_id = ${orgId} and subtask_id = ${at.id} and deleted_at is null`)
      await stored.remove(db, orgId, at.id, now)
      emit('subtask.deleted', at)
    },
  }),
]
