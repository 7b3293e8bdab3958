import { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { found, invalid } from '../../http/errors.ts'
import { cursorPage, cursorPageOf, cursorQuery } from '../../http/page.ts'
import { everyone, route } from '../../http/route.ts'
import { member } from '../members/members.ts'
import { beside, onlyOneNeighbour, onlyOneNeighbourSchema } from '../order.ts'
import { project } from '../projects/projects.ts'
import { stage } from '../stages/stages.ts'
import { tag } from '../tags/tags.ts'
import { taskType } from '../task-types/task-types.ts'
import { timeConstraints } from '../time-entries/time-entry.ts'
import { restoring } from '../trash.ts'
import { workspace } from '../workspaces/workspaces.ts'
import { filters, matching, searchable } from './filters.ts'
import { FullTask, include, including } from './including.ts'
import { land } from './landing.ts'
import { dueBeforeStart, inOrder } from './rules.ts'
import { createTask, labelTask, removeTask, restoreTask } from './storing.ts'
import { storedTasks, Task, task, taskColumns } from './task.ts'

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
const Move = z
  .strictObject({ workspaceId, stageId })
  .partial()
  .extend(beside)
  .refine(...onlyOneNeighbour)
  .meta({ ...onlyOneNeighbourSchema, examples: [{ stageId: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f' }] })

const places = { workspaceId: { to: workspace }, stageId: { to: stage } }
const labels = { typeId: { to: taskType }, assigneeIds: { to: member }, tagIds: { to: tag } }
export const tasks = [
  route('GET /tasks', {
    summary: 'List tasks, newest first',
    roles: everyone,
    query: z.strictObject({ ...cursorQuery, ...filters, include }),
    returns: cursorPageOf(FullTask),
    async handle({ db, caller, cursors, query, now }) {
      const page = await cursorPage<Task>(
        { db, caller, cursors, query },
        {
          list: 'tasks',
          columns: taskColumns,
          from: sql`tasks where ${matching(caller, query)}`,
          // createdAt is the time in the id, so ids alone are in the order (createdAt, id)
          after: ({ idBound }) => sql`tasks.id < ${idBound}`,
          order: sql`tasks.id desc`,
        },
      )
      return { ...page, data: await including(db, caller, page.data, query.include, now) }
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
      const nowhere = { projectId: body.projectId, workspaceId: null, stageId: null }
      const place = await land(db, caller.orgId, nowhere, body, references, now)
      const created = await createTask(db, caller, parent?.item.key ?? '', { ...body, ...place })
      emit('task.created', created)
      return created
    },
  }),

  route('GET /tasks/{id}', {
    summary: 'Read a task, by its id or its key (WEB-12)',
    roles: everyone,
    at: task,
    query: z.strictObject({ include }),
    returns: FullTask,
    async handle({ db, caller, at, query, now }) {
      const [full] = await including(db, caller, [at], query.include, now)
      return found(full)
    },
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
      const renamed = own.name !== undefined || own.description !== undefined
      const search = renamed
        ? searchable({
            name: own.name ?? at.name,
            description: own.description === undefined ? at.description : own.description,
          })
        : undefined
      const place = await land(db, orgId, at, body, references, now)
      await labelTask(db, orgId, at.id, { assigneeIds, tagIds })
      const changed = await storedTasks.update(db, orgId, at.id, { ...own, ...place, search }, now)
      emit('task.updated', changed, { before: at })
      return changed
    },
  }),

  route('POST /tasks/{id}/move', {
    summary: 'Move a task to another stage or workspace, or before or after another task',
    roles: everyone,
    at: task,
    needs: 'contributor',
    // the stage is locked before the task
    lock: 'key share',
    body: Move,
    references: { ...places, beforeId: { to: task }, afterId: { to: task } },
    returns: Task,
    async handle({ db, caller: { orgId }, at, body, references, emit, now }) {
      const place = await land(db, orgId, at, body, references, now)
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

  restoring({
    path: '/tasks',
    noun: 'task',
    at: task,
    returns: Task,
    stored: storedTasks,
    constraints: timeConstraints,
    before: restoreTask,
  }),
]
