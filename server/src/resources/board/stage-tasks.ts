import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { stripRow, withDetaching } from '../../db/detachments.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { columnsOf } from '../../db/table.ts'
import { type Emit, mostChanges, mostCharacters } from '../../events/outbox.ts'
import type { Context } from '../../operations/route.ts'
import { storedTasks, Task } from '../task.ts'
import { positionBehind } from './order.ts'
import { refuseIfFull, type StageLimits, tasksIn, tasksOf } from './stage.ts'

type WriteContext<Type extends string> = Pick<Context, 'db' | 'now'> & { emit: Emit<Type>; orgId: string }

/**
 * Moves all tasks of a stage to the end of another one, which is locked, with an event for each.
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
  await changeAll(context, 'task.moved', from.id, (tasks) => {
    // their order and distances stay the same
    const shift = start - (tasks[0]?.position ?? 0)
    return sql`stage_id = ${to.id}, position = position + ${shift}, completed_at = ${completedIn(to, now)}`
  })
}

/**
 * Completes the tasks of a stage that became a done one, or reopens them when it no longer is, with an event for each.
 * @throws 412 when they are too many
 */
export function completeTasks(context: WriteContext<'task.updated'>, stage: StageLimits): Promise<void> {
  return changeAll(context, 'task.updated', stage.id, () => sql`completed_at = ${completedIn(stage, context.now)}`)
}

/** Since when a task that stands in a stage is completed. */
export const completedIn = ({ category }: Pick<StageLimits, 'category'>, now: string): Sql =>
  category === 'done' ? sql`coalesce(tasks.completed_at, ${now})` : sql`null`

interface TaskInStage {
  id: string
  position: number
  completedAt: string | null
}

/** @param set how the tasks change, given those in the stage from top to bottom; one that has left it is not changed */
async function changeAll<Type extends string>(
  { db, orgId, emit, now }: WriteContext<Type>,
  type: Type,
  stageId: string,
  set: (tasks: readonly TaskInStage[]) => Sql,
): Promise<void> {
  const stands = sql`tasks.org_id = ${orgId} and tasks.stage_id = ${stageId} and tasks.deleted_at is null`
  await refuseIfTooMany(db, stands, 'The stage holds', 'move tasks out of it in parts first')
  const tasks = await db.rows<TaskInStage>(sql`
    select id, position, completed_at as "completedAt" from tasks
    where org_id = ${orgId} and stage_id = ${stageId} and deleted_at is null order by position, id for no key update`)
  if (tasks.length === 0) return
  const changed = await db.rows<Task>(sql`
    update tasks set ${set(tasks)}, version = version + 1, updated_at = greatest(updated_at, ${now})
    where org_id = ${orgId} and stage_id = ${stageId} and deleted_at is null returning ${shownInEvents}${withDetaching(orgId)}`)
  const byId = new Map(changed.map((task) => [task.id, stripRow(task, storedTasks.strip)]))
  for (const { id, ...before } of tasks) {
    const task = byId.get(id)
    if (task) emit(type, task, { before: { ...task, stageId, ...before } })
  }
}

/**
 * Checks beforehand that a change of many tasks ends in time: each is rewritten with its text.
 * @param which condition: the tasks
 * @param where the beginning of the message: what holds the tasks
 * @param first the end of the message: what to do first
 * @throws 412 when they are too many, or too long, to be changed at once
 */
export async function refuseIfTooMany(db: Db, which: Sql, where: string, first: string): Promise<void> {
  const { tasks, bytes, told } = expected(
    await db.row<{ tasks: number; bytes: number; told: number }>(sql`
      select count(*)::int as tasks, coalesce(sum(octet_length(description)), 0)::bigint as bytes,
        coalesce(sum(${eventBytes}), 0)::bigint as told
      from (
        select * from tasks where ${which} limit ${mostChanges}) tasks`),
    'A count',
  )
  // one more change is that of the stage itself
  if (tasks < mostChanges && bytes <= mostBytes && told <= mostCharacters) return
  throw refused(
    `${where} ${mostChanges} tasks or more, or too much text: too much to change at once; ${first}`,
    'too_many_changes',
  )
}

const mostBytes = 67_108_864

// the size of an event of a task, at most, but for characters that JSON escapes; long texts are left out
const eventBytes = sql`1000 + octet_length(tasks.name)
  + case when octet_length(tasks.description) < 2048 then octet_length(tasks.description) else 0 end
  + 39 * (cardinality(tasks.assignee_ids) + cardinality(tasks.tag_ids))`

// an event leaves out a long text that did not change, so the whole text need not be read
const shownInEvents = columnsOf('tasks', Task, { description: sql`left(tasks.description, 1000)` })
