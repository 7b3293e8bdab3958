import { refused } from '../../contract/errors.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { stripRow, withDetaching } from '../../db/detachments.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { forEachInSteps } from '../../db/steps.ts'
import { mostChanges } from '../../events/outbox.ts'
import type { WriteContext } from '../../operations/context.ts'
import { storedTasks, Task } from '../task.ts'
import { positionBehind } from './order.ts'
import { offBoard, type Placement } from './placement.ts'
import { refuseIfFull, type StageLimits, tasksIn, tasksOf } from './stage.ts'

/**
 * Moves all tasks of a stage to the end of another one, with an event for each. The caller has locked the other stage.
 * @throws 412 when they exceed its limit, or are too many
 */
export async function moveTasks(
  context: WriteContext<'task.moved'>,
  from: StageLimits,
  to: StageLimits,
): Promise<void> {
  const { db, orgId, now } = context
  await refuseIfFull(db, orgId, to, await tasksIn(db, orgId, from.id))
  const start = await positionBehind(db, tasksOf(orgId, to.id))
  await changeAll(context, 'task.moved', standingIn(orgId, from), (tasks) => {
    // keep their order and distances
    const shift = start - (tasks[0]?.position ?? 0)
    return sql`stage_id = ${to.id}, position = position + ${shift}, completed_at = ${completedIn(to, now)}`
  })
}

/**
 * Completes or reopens all tasks of a stage after its category changed, with an event for each.
 * @throws 412 when they are too many
 */
export function completeTasks(context: WriteContext<'task.updated'>, stage: StageLimits): Promise<void> {
  const standing = standingIn(context.orgId, stage)
  return changeAll(context, 'task.updated', standing, () => sql`completed_at = ${completedIn(stage, context.now)}`)
}

/**
 * Takes tasks whose stages are deleted off their boards, with an event for each.
 * @param which condition: the tasks
 * @throws 412 when they are too many
 */
export function takeOffBoards(context: WriteContext<'task.moved'>, which: Sql): Promise<void> {
  const tasks = { which, where: 'The deleted stages have', first: 'restore these stages first' }
  return changeAll(context, 'task.moved', tasks, () => sql.set({ ...offBoard }))
}

/** SQL: the completion time of a task in a stage. */
export const completedIn = ({ category }: Pick<StageLimits, 'category'>, now: string): Sql =>
  category === 'done' ? sql`coalesce(tasks.completed_at, ${now})` : sql`null`

interface SomeTasks {
  /** condition: the tasks */
  which: Sql
  /** the beginning of the message that refuses too many tasks: it names their container */
  where: string
  /** the end of the message: the first step of the caller */
  first: string
}

const standingIn = (orgId: string, { id }: StageLimits): SomeTasks => ({
  which: sql`tasks.org_id = ${orgId} and tasks.stage_id = ${id} and tasks.deleted_at is null`,
  where: 'The stage has',
  first: 'move some of the tasks out first',
})

/** @param set SQL: the changes, given the tasks from top to bottom; a task that left in the meantime does not change */
async function changeAll<Type extends string>(
  { db, orgId, emit, now }: WriteContext<Type>,
  type: Type,
  some: SomeTasks,
  set: (tasks: readonly Placement[]) => Sql,
): Promise<void> {
  await refuseIfTooMany(db, some)
  const tasks = await db.rows<Placement & { id: string }>(sql`
    select id, workspace_id as "workspaceId", stage_id as "stageId", position, completed_at as "completedAt" from tasks
    where ${some.which} order by position, id for no key update`)
  if (tasks.length === 0) return
  const changed = await db.rows<Task>(sql`
    update tasks set ${set(tasks)}, version = version + 1, updated_at = greatest(updated_at, ${now})
    where ${some.which} returning ${shownInEvents}${withDetaching(orgId)}`)
  const byId = new Map(changed.map((task) => [task.id, task]))
  await forEachInSteps(orgId, tasks, ({ id, ...before }) => {
    const row = byId.get(id)
    if (row === undefined) return
    const task = stripRow(row, storedTasks.strip)
    emit(type, task, { before: { ...task, ...before } })
  })
}

/**
 * Checks in advance that a change of many tasks ends in time: the update rewrites each task with its text.
 * @throws 412 when they are too many, or too long, to change at once
 */
async function refuseIfTooMany(db: Db, { which, where, first }: SomeTasks): Promise<void> {
  const { tasks, bytes } = expected(
    await db.row<{ tasks: number; bytes: number }>(sql`
      select count(*)::int as tasks, coalesce(sum(octet_length(description)), 0)::bigint as bytes
      from (
        select * from tasks where ${which} limit ${mostChanges}) tasks`),
    'A count',
  )
  // the change of the stage itself counts too
  if (tasks < mostChanges && bytes <= mostBytes) return
  throw refused(
    `${where} ${mostChanges} or more tasks, or too much text, to change at once; ${first}`,
    'too_many_changes',
  )
}

const mostBytes = 67_108_864

// an event leaves out a long text that did not change, so do not read the whole text
const shownInEvents = columnsOf('tasks', Task, { shows: { description: sql`left(tasks.description, 1000)` } })
