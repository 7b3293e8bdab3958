import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { visibilityOf } from '../../access/visibility.ts'
import { dueNotBeforeStart, refuseIfDueBeforeStart } from '../../contract/across-fields.ts'
import { Timestamp } from '../../contract/fields.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { prerenderedPage } from '../../lists/cursor-page.ts'
import { matching, parametersOf } from '../../lists/filters.ts'
import { sortOf } from '../../lists/order.ts'
import { cursorPageOf, cursorQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { emitRespaced, neighbourFields, oneNeighbourAtMost } from '../board/order.ts'
import { offBoard, placeTask } from '../board/placement.ts'
import { stage } from '../board/stages.ts'
import { workspace } from '../board/workspaces.ts'
import { member } from '../member.ts'
import { numberingProject } from '../project.ts'
import { tag } from '../tags/tags.ts'
import { prerenderedTask, storedTasks, Task, task } from '../task.ts'
import { taskType } from '../task-types/task-types.ts'
import { timeConstraints } from '../time-entry.ts'
import { restoreRoute } from '../trash.ts'
import { filters } from './filters.ts'
import { besideTask } from './include.ts'
import { orderOfTasks, taskOrders } from './orders.ts'
import { foundByWords } from './search.ts'
import { createTask, removeTask, restoreTask, updateTask } from './task-writes.ts'

const changeable = Task.pick({
  ...{ workspaceId: true, stageId: true, name: true, description: true, typeId: true, priority: true },
  ...{ assigneeIds: true, tagIds: true, startDate: true, dueDate: true, estimateSeconds: true },
}).partial()
const TaskChanges = changeable.refine(...dueNotBeforeStart)
const NewTask = changeable
  .required({ name: true })
  .extend({ projectId: Task.shape.projectId })
  .refine(...dueNotBeforeStart)
const place = Task.pick({ workspaceId: true, stageId: true }).partial().extend(neighbourFields)
const Move = oneNeighbourAtMost(place).meta({ examples: [{ stageId: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f' }] })

const rankedSince = Timestamp.optional().meta({
  description:
    'Sent if you sort by relevance and too many tasks match. The list then has only the tasks that were created ' +
    'at or after this date-time.',
})

const places = { workspaceId: { to: workspace }, stageId: { to: stage } }
const neighbour = { to: task, fields: ['workspaceId', 'stageId', 'position', 'completedAt'] } as const
const labels = { typeId: { to: taskType }, assigneeIds: { to: member }, tagIds: { to: tag } }
export const tasks = [
  route('GET /tasks', {
    name: 'tasks.list',
    summary: 'List tasks',
    description: 'Newest first, unless you send `sort`.',
    roles: everyone,
    query: z.strictObject({
      ...cursorQuery,
      sort: sortOf(taskOrders),
      ...parametersOf(filters),
      include: besideTask.include,
    }),
    returns: cursorPageOf(besideTask.Full, { rankedSince }),
    handle(asked) {
      const { db, caller, cursors, query } = asked
      const list = {
        table: sql`tasks`,
        visibility: visibilityOf(caller, sql`tasks`, query.projectId),
        where: matching(filters, caller, query),
        order: orderOfTasks(caller, query),
      }
      return prerenderedPage<Task>(
        { db, caller, cursors, query },
        {
          ...list,
          prerendered: sql`tasks.shown`,
          columns: storedTasks.columns,
          strip: storedTasks.strip,
          include: besideTask.inTexts(asked),
          found: foundByWords(caller, list, query),
        },
      )
    },
  }),

  route('POST /tasks', {
    name: 'tasks.create',
    summary: 'Create a task',
    description: 'If you send a workspace without a stage, the task goes to the first stage of the workspace.',
    roles: everyone,
    body: NewTask,
    references: {
      // the project numbers its tasks: lock its row until the number is committed
      projectId: { to: numberingProject, needs: 'contributor', lock: 'no key update' },
      ...places,
      ...labels,
    },
    returns: Task,
    created: ({ id }) => `/tasks/${id}`,
    emits: ['task.created'],
    async handle({ db, caller, body, references, emit, now }) {
      const [parent] = references.projectId
      const placed = await placeTask(
        db,
        caller.orgId,
        { ...offBoard, projectId: body.projectId },
        body,
        references,
        now,
      )
      const numbering = expected(parent, 'The project of a new task').item
      const created = await createTask(db, caller, numbering, { ...body, ...placed?.to })
      emit('task.created', created)
      return created
    },
  }),

  route('GET /tasks/{id}', {
    name: 'tasks.get',
    summary: 'Get a task',
    description: 'You can use its id or its key, such as WEB-12.',
    roles: everyone,
    target: prerenderedTask,
    query: z.strictObject({ include: besideTask.includeInItem }),
    returns: besideTask.Full,
    async handle(asked) {
      const { target } = asked
      const text = target instanceof Prerendered ? target.text : JSON.stringify(target)
      const [full] = (await besideTask.inTexts(asked)?.([text])) ?? []
      return full === undefined ? target : new Prerendered(full)
    },
  }),

  route('PATCH /tasks/{id}', {
    name: 'tasks.update',
    summary: 'Update a task',
    description: 'You can also move the task to another stage or workspace.',
    roles: everyone,
    target: task,
    needs: 'contributor',
    // lock the stage and the other references before the task
    lock: 'key share',
    body: TaskChanges,
    references: { ...places, ...labels },
    returns: Task,
    emits: ['task.updated'],
    async handle({ db, caller, target: seen, body, references, emit, now }) {
      const { orgId } = caller
      refuseIfDueBeforeStart({ ...seen, ...body })
      const { workspaceId, stageId, ...own } = body
      const placedAtFirst = await placeTask(db, orgId, seen, body, references, now)
      const [locked] = await task.load(db, caller, { ids: [seen.id], lock: 'no key update' })
      const held = expected(locked, 'A task that is held').item
      // another request may have moved it in the meantime
      const placed =
        placedAtFirst ??
        (held.stageId === seen.stageId ? undefined : await placeTask(db, orgId, held, body, references, now))
      refuseIfDueBeforeStart({ ...held, ...body })
      const changed = await updateTask(db, orgId, held, { ...own, ...placed?.to }, now)
      emit('task.updated', changed, { before: held })
      return changed
    },
  }),

  route('POST /tasks/{id}/move', {
    name: 'tasks.move',
    summary: 'Move a task',
    description:
      'Moves the task to another stage or workspace, or before or after another task. If the task is already ' +
      'there, nothing changes.',
    roles: everyone,
    target: task,
    needs: 'contributor',
    // lock the stage before the task
    lock: 'key share',
    body: Move,
    references: { ...places, beforeId: neighbour, afterId: neighbour },
    returns: Task,
    emits: ['order.respaced', 'task.moved'],
    async handle({ db, caller, target, body, references, emit, now }) {
      const { orgId } = caller
      const placed = await placeTask(db, orgId, target, body, references, now)
      if (placed === undefined) {
        // another request may have moved it there in the meantime
        const [there] = await task.load(db, caller, { ids: [target.id], lock: 'none' })
        return expected(there, 'A task that is held').item
      }
      if (placed.to.stageId) emitRespaced(emit, 'task', placed.to.stageId, placed)
      const moved = await storedTasks.update(db, orgId, target.id, { ...placed.to }, now)
      emit('task.moved', moved, { before: { ...moved, ...placed.from } })
      return moved
    },
  }),

  route('DELETE /tasks/{id}', {
    name: 'tasks.delete',
    summary: 'Delete a task',
    description:
      'The subtasks, comments and time entries of the task are deleted with it. Running timers on it are stopped. ' +
      'The server refuses this if a subtask is finalized, or if some of the time is locked.',
    roles: everyone,
    target: task,
    needs: 'contributor',
    emits: ['time_entry.updated', 'task.deleted'],
    async handle({ db, caller, target, emit, now }) {
      await removeTask({ db, caller, emit, now }, target.id)
      emit('task.deleted', target)
    },
  }),

  restoreRoute(storedTasks, {
    name: 'tasks.restore',
    target: task,
    constraints: timeConstraints,
    before: restoreTask,
  }),
]
