import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { visibilityOf } from '../../access/visibility.ts'
import { orNotFound, refused } from '../../contract/errors.ts'
import { stripRow, withDetaching } from '../../db/detachments.ts'
import { newTimedId } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'
import { prerenderedPage } from '../../lists/cursor-page.ts'
import { matching } from '../../lists/filters.ts'
import { cursorPageOf, cursorQuery, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import {
  emitRespaced,
  keepPositionOrGoLast,
  type OrderedRows,
  positionBehind,
  positionBeside,
  Reorder,
} from '../board/order.ts'
import { limits, refuseIfOverLimit } from '../limits.ts'
import { member } from '../member.ts'
import { refuseIfFinalized, Subtask, storedSubtasks, subtask } from '../subtask.ts'
import { task } from '../task.ts'
import { pageOnTask, taskKey } from '../tasks/lists-on-task.ts'
import { checkRestoredTime } from '../time/policies.ts'
import { removeTime } from '../time/time-writes.ts'
import { timeConstraints } from '../time-entry.ts'
import { deletedWith, momentOfRemoval, refuseIfOrphaned, restoreBelow, restoreRoute } from '../trash.ts'
import { besideSubtask, filters, parameters, subtaskOrders } from './list.ts'

const { name, assigneeId } = Subtask.shape
const SubtaskChanges = z.strictObject({ name, assigneeId }).partial()
const NewSubtask = SubtaskChanges.required({ name: true })

const assignee = { assigneeId: { to: member } }

export const subtasks = [
  route('GET /tasks/{id}/subtasks', {
    name: 'tasks.subtasks.list',
    summary: 'List the subtasks of a task',
    description: 'In the same order as in the task.',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery, include: besideSubtask.include }),
    returns: offsetPageOf(besideSubtask.Full),
    async handle(asked) {
      const page = await pageOnTask<Subtask>(asked, {
        columns: storedSubtasks.columns.beside(withDetaching(asked.caller.orgId)),
        from: (taskId) => sql`subtasks where subtasks.org_id = ${asked.caller.orgId} and subtasks.task_id = ${taskId}
          and subtasks.deleted_at is null`,
        order: sql`subtasks.position, subtasks.id`,
      })
      const data = page.data.map((row) => stripRow(row, storedSubtasks.strip))
      return besideSubtask.inPage(asked, { ...page, data })
    },
  }),

  route('POST /tasks/{id}/subtasks', {
    name: 'subtasks.create',
    summary: 'Create a subtask',
    description: `The subtask goes to the end of the task. A task can have at most ${limits.subtasksOfTask.most} subtasks.`,
    roles: everyone,
    target: task,
    needs: 'contributor',
    body: NewSubtask,
    references: assignee,
    returns: Subtask,
    created: ({ id }) => `/subtasks/${id}`,
    emits: ['subtask.created'],
    async handle({ db, caller: { orgId }, target, body, emit }) {
      // the task is locked, so no other request takes the same position
      await refuseIfOverLimit(db, limits.subtasksOfTask, { orgId, id: target.id })
      const position = await positionBehind(db, subtasksOf(orgId, target.id))
      const { id, createdAt } = newTimedId()
      const fields = { ...body, id, taskId: target.id, projectId: target.projectId, position }
      const created = await storedSubtasks.insert(db, orgId, fields, createdAt)
      emit('subtask.created', created)
      return created
    },
  }),

  route('GET /subtasks', {
    name: 'subtasks.list',
    summary: 'List subtasks',
    description: 'Returns the subtasks of all tasks that you can see. Newest first, unless you send `sort`.',
    roles: everyone,
    query: z.strictObject({ ...cursorQuery, ...parameters, include: besideSubtask.include }),
    returns: cursorPageOf(besideSubtask.Full),
    handle(asked) {
      const { caller, query } = asked
      return prerenderedPage<Subtask>(asked, {
        prerendered: sql`subtasks.shown`,
        columns: storedSubtasks.columns,
        strip: storedSubtasks.strip,
        include: besideSubtask.inTexts(asked),
        table: sql`subtasks`,
        where: matching(filters, caller, query),
        visibility: visibilityOf(caller, sql`subtasks`, query.projectId),
        order: subtaskOrders.of(query.sort),
      })
    },
  }),

  route('GET /subtasks/{id}', {
    name: 'subtasks.get',
    summary: 'Get a subtask',
    roles: everyone,
    target: subtask,
    query: z.strictObject({ include: besideSubtask.includeInItem }),
    returns: besideSubtask.Full,
    handle: (asked) => besideSubtask.inItem(asked, asked.target),
  }),

  route('PATCH /subtasks/{id}', {
    name: 'subtasks.update',
    summary: 'Update a subtask',
    roles: everyone,
    target: subtask,
    needs: 'contributor',
    body: SubtaskChanges,
    references: assignee,
    returns: Subtask,
    emits: ['subtask.updated'],
    async handle({ db, caller, target, body, emit, now }) {
      refuseIfFinalized(target)
      const changed = await storedSubtasks.update(db, caller.orgId, target.id, body, now)
      emit('subtask.updated', changed, { before: target })
      return changed
    },
  }),

  route('POST /subtasks/{id}/move', {
    name: 'subtasks.move',
    summary: 'Move a subtask',
    description: 'Moves the subtask before or after another subtask of the same task.',
    roles: everyone,
    target: subtask,
    needs: 'contributor',
    // lock the task before its subtasks
    lock: 'key share',
    body: Reorder,
    references: { beforeId: { to: subtask }, afterId: { to: subtask } },
    returns: Subtask,
    emits: ['order.respaced', 'subtask.moved'],
    async handle({ db, caller, target, body, emit, now }) {
      const { orgId } = caller
      await db.rows(sql`select id from tasks where org_id = ${orgId} and id = ${target.taskId} for no key update`)
      const [held] = await subtask.load(db, caller, { ids: [target.id], lock: 'no key update' })
      const before = orNotFound(held).item
      refuseIfFinalized(before)
      const place = await positionBeside(db, subtasksOf(orgId, target.taskId), body, target.id)
      if (place === undefined) return before
      emitRespaced(emit, 'subtask', target.taskId, place)
      const { position } = place
      const moved = await storedSubtasks.update(db, orgId, target.id, { position }, now)
      emit('subtask.moved', moved, { before })
      return moved
    },
  }),

  route('POST /subtasks/{id}/finalize', {
    name: 'subtasks.finalize',
    summary: 'Finalize a subtask',
    description: 'The subtask and its time can then no longer change, until you reopen the subtask.',
    roles: everyone,
    target: subtask,
    needs: 'contributor',
    returns: Subtask,
    emits: ['subtask.finalized'],
    async handle({ db, caller, target, emit, now }) {
      refuseIfFinalized(target)
      const runs = await db.row(sql`
        select id from time_entries where org_id = ${caller.orgId} and subtask_id = ${target.id} and ended_at is null
          and deleted_at is null limit 1`)
      if (runs) throw refused('A timer is running on the subtask; stop it first', 'timer_running')
      const final = { finalizedAt: now, finalizedBy: caller.memberId }
      const finalized = await storedSubtasks.update(db, caller.orgId, target.id, final, now)
      emit('subtask.finalized', finalized, { before: target })
      return finalized
    },
  }),

  route('POST /subtasks/{id}/reopen', {
    name: 'subtasks.reopen',
    summary: 'Reopen a subtask',
    description: 'The finalized subtask and its time can change again.',
    roles: everyone,
    target: subtask,
    needs: 'contributor',
    returns: Subtask,
    emits: ['subtask.reopened'],
    async handle({ db, caller, target, emit, now }) {
      if (target.finalizedAt === null) throw refused('The subtask is not finalized', 'subtask_not_finalized')
      const reopened = await storedSubtasks.update(
        db,
        caller.orgId,
        target.id,
        { finalizedAt: null, finalizedBy: null },
        now,
      )
      emit('subtask.reopened', reopened, { before: target })
      return reopened
    },
  }),

  route('DELETE /subtasks/{id}', {
    name: 'subtasks.delete',
    summary: 'Delete a subtask',
    description:
      'The time entries of the subtask are deleted with it. Running timers on it are stopped. The server refuses this ' +
      'if the subtask is finalized, or if some of the time is locked.',
    roles: everyone,
    target: subtask,
    needs: 'contributor',
    emits: ['time_entry.updated', 'subtask.deleted'],
    async handle({ db, caller, target, emit, now: asked }) {
      refuseIfFinalized(target)
      const time = sql`time_entries.subtask_id = ${target.id}`
      const now = await momentOfRemoval(db, caller.orgId, asked, [sql`time_entries`, time])
      await removeTime({ db, caller, emit, now }, time)
      await storedSubtasks.remove(db, caller.orgId, target.id, now)
      emit('subtask.deleted', target)
    },
  }),

  restoreRoute(storedSubtasks, {
    name: 'subtasks.restore',
    target: subtask,
    constraints: timeConstraints,
    async before({ db, caller, target: { id, taskId }, now }) {
      const { orgId } = caller
      // a concurrent create or move of a subtask waits for this lock
      await refuseIfOrphaned(db, sql`tasks`, orgId, taskId, 'task', 'no key update')
      await refuseIfOverLimit(db, limits.subtasksOfTask, { orgId, id: taskId })
      await keepPositionOrGoLast(db, subtasksOf(orgId, taskId), id)
      const above = { table: sql`subtasks`, orgId, id }
      const onIt = sql`time_entries.subtask_id = ${id}`
      await checkRestoredTime({ db, caller, now }, sql`${onIt} and ${deletedWith(sql`time_entries`, above)}`)
      await restoreBelow(db, sql`time_entries`, above, onIt, now)
      await refuseIfOverLimit(db, limits.timeOnTask, { orgId, id: taskId }, 0)
    },
  }),
]

const subtasksOf = (orgId: string, taskId: string): OrderedRows => ({
  table: sql`subtasks`,
  orgId,
  among: sql`task_id = ${taskId}`,
})
