import { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { invalid } from '../../http/errors.ts'
import { Day, Id, ids, Name, resource, Timestamp, text } from '../../http/fields.ts'
import { cursorPage, cursorPageOf, cursorQuery } from '../../http/page.ts'
import { everyone, route } from '../../http/route.ts'
import { inProject, seesProject } from '../access.ts'
import { member } from '../members/members.ts'
import { project } from '../projects/projects.ts'
import { stage } from '../stages/stages.ts'
import { tag } from '../tags/tags.ts'
import { taskType } from '../task-types/task-types.ts'
import { workspace } from '../workspaces/workspaces.ts'
import { land, type Place } from './landing.ts'
import { dueBeforeStart, inOrder } from './rules.ts'
import { createTask, labelTask, removeTask, storedTasks, taskColumns } from './storing.ts'

/** A piece of work in a project. */
export const Task = resource('Task', 'A piece of work in a project.', {
  projectId: Id.meta({ description: 'Fixed.' }),
  workspaceId: Id.nullable(),
  stageId: Id.nullable().meta({ description: 'A task on a workspace always stands in one of its stages.' }),
  number: z.int().min(1).max(2_147_483_647).meta({ description: 'Counts the tasks of the project, without gaps.' }),
  key: z
    .string()
    .regex(/^[A-Z][A-Z0-9]{1,9}-[1-9][0-9]*$/)
    .meta({ description: 'The key of the project and the number.', maxLength: 21, examples: ['WEB-12'] }),
  name: Name.meta({ examples: ['Paint the fence'] }),
  description: text(0, 50_000).nullable().meta({ description: 'Markdown.' }),
  typeId: Id.nullable(),
  priority: z.enum(['none', 'low', 'medium', 'high', 'urgent']),
  assigneeIds: ids(20).meta({ description: 'Ascending.' }),
  tagIds: ids(50).meta({ description: 'Ascending.' }),
  startDate: Day.nullable(),
  dueDate: Day.nullable(),
  estimateSeconds: z.int().min(0).max(2_147_483_647).nullable(),
  position: z.int().min(1).nullable().meta({ description: 'Orders the tasks of a stage, ascending.' }),
  completedAt: Timestamp.nullable().meta({ description: 'When it entered a done stage.' }),
  createdBy: Id,
})
export type Task = z.output<typeof Task>

const { projectId, workspaceId, stageId, name, description, typeId, priority } = Task.shape
const { assigneeIds, tagIds, startDate, dueDate, estimateSeconds } = Task.shape
const changeable = z
  .strictObject({
    ...{ workspaceId, stageId, name, description, typeId, priority, assigneeIds, tagIds },
    ...{ startDate, dueDate, estimateSeconds },
  })
  .partial()
const TaskChanges = changeable.refine(inOrder, dueBeforeStart)
const NewTask = changeable.required({ name: true }).extend({ projectId }).refine(inOrder, dueBeforeStart)
const Move = z.strictObject({ workspaceId, stageId }).partial()

/** A task of a project that the caller sees. */
export const task = inProject<Task>(sql`tasks`, taskColumns)

const places = { workspaceId: { to: workspace }, stageId: { to: stage } }
const labels = { typeId: { to: taskType }, assigneeIds: { to: member }, tagIds: { to: tag } }
export const tasks = [
  route('GET /tasks', {
    summary: 'List tasks, newest first',
    roles: everyone,
    query: z.strictObject({
      ...cursorQuery,
      projectId: projectId.optional(),
      workspaceId: Id.optional(),
      stageId: Id.optional(),
      typeId: Id.optional(),
      assigneeId: z
        .union([Id, z.enum(['me', 'none'])])
        .optional()
        .meta({ description: 'A member, `me`, or `none` for tasks that are assigned to nobody.' }),
      tagId: z
        .union([Id.transform((id) => [id]), ids(10)])
        .optional()
        .meta({ description: 'May be repeated: tasks that bear all of them.' }),
    }),
    returns: cursorPageOf(Task),
    handle: ({ db, caller, cursors, query }) => {
      const { orgId } = caller
      const assignee = query.assigneeId === 'me' ? caller.memberId : query.assigneeId
      const assigned = sql`select from task_assignees
        where task_assignees.org_id = ${orgId} and task_assignees.task_id = tasks.id`
      const conditions = sql.all(
        sql`tasks.org_id = ${orgId} and tasks.deleted_at is null and ${seesProject(caller, sql`tasks.project_id`)}`,
        query.projectId && sql`tasks.project_id = ${query.projectId}`,
        query.workspaceId && sql`tasks.workspace_id = ${query.workspaceId}`,
        query.stageId && sql`tasks.stage_id = ${query.stageId}`,
        query.typeId && sql`tasks.type_id = ${query.typeId}`,
        assignee === 'none' ? sql`not exists (${assigned})` : undefined,
        assignee && assignee !== 'none' && sql`exists (${assigned} and task_assignees.member_id = ${assignee})`,
        ...(query.tagId ?? []).map(
          (id) => sql`exists (select from task_tags
            where task_tags.org_id = ${orgId} and task_tags.task_id = tasks.id and task_tags.tag_id = ${id})`,
        ),
      )
      return cursorPage<Task>(
        { db, caller, cursors, query },
        {
          list: 'tasks',
          columns: taskColumns,
          from: sql`tasks where ${conditions}`,
          // createdAt is the time in the id, so ids alone are in the order (createdAt, id)
          after: ({ idBound }) => sql`tasks.id < ${idBound}`,
          order: sql`tasks.id desc`,
        },
      )
    },
  }),

  route('POST /tasks', {
    summary: 'Create a task',
    description: 'In a workspace it lands in the stage that is named, else in the first one.',
    roles: everyone,
    body: NewTask,
    references: {
      // the project counts its tasks: its row is locked until the number is committed
      projectId: { to: project, needs: 'contributor', lock: 'no key update' },
      ...places,
      ...labels,
    },
    returns: Task,
    created: ({ id }) => `/tasks/${id}`,
    async handle({ db, caller, body, references, emit, now }) {
      const [parent] = references.projectId
      const nowhere: Place = { workspaceId: null, stageId: null, position: null, completedAt: null }
      const place = await land(
        db,
        caller.orgId,
        { projectId: body.projectId, ...nowhere },
        body,
        references.stageId,
        now,
      )
      const created = await createTask(db, caller, parent?.item.key ?? '', { ...body, ...place })
      emit('task.created', created)
      return created
    },
  }),

  route('GET /tasks/{id}', {
    summary: 'Read a task',
    roles: everyone,
    at: task,
    returns: Task,
    handle: ({ at }) => at,
  }),

  route('PATCH /tasks/{id}', {
    summary: 'Edit a task, or move it to another stage or workspace',
    roles: everyone,
    at: task,
    needs: 'contributor',
    body: TaskChanges,
    references: { ...places, ...labels },
    returns: Task,
    async handle({ db, caller: { orgId }, at, body, references, emit, now }) {
      if (!inOrder({ ...at, ...body })) throw invalid({}, [dueBeforeStart])
      const { assigneeIds, tagIds, ...own } = body
      const place = await land(db, orgId, at, body, references.stageId, now)
      await labelTask(db, orgId, at.id, { assigneeIds, tagIds })
      const changed = await storedTasks.update(db, orgId, at.id, { ...own, ...place }, now)
      emit('task.updated', changed, { before: at })
      return changed
    },
  }),

  route('POST /tasks/{id}/move', {
    summary: 'Move a task to another stage or workspace',
    roles: everyone,
    at: task,
    needs: 'contributor',
    body: Move,
    references: places,
    returns: Task,
    async handle({ db, caller: { orgId }, at, body, references, emit, now }) {
      const place = await land(db, orgId, at, body, references.stageId, now)
      const moved = await storedTasks.update(db, orgId, at.id, { ...place }, now)
      emit('task.moved', moved, { before: at })
      return moved
    },
  }),

  route('DELETE /tasks/{id}', {
    summary: 'Delete a task, its subtasks and its time',
    roles: everyone,
    at: task,
    needs: 'contributor',
    async handle({ db, caller, at, emit, now }) {
      await removeTask(db, caller.orgId, at.id, now)
      emit('task.deleted', at)
    },
  }),
]
