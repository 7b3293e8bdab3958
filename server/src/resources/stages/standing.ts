import { rowLeft, withDetaching } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Context } from '../../http/route.ts'
import { positionBehind } from '../order.ts'
import { type Task, taskColumns, taskLeft } from '../tasks/task.ts'
import { type Entrance, refuseIfFull, tasksIn, tasksOf } from './stage.ts'

type Writing = Pick<Context, 'db' | 'emit' | 'now'> & { orgId: string }

/**
 * Moves all tasks of a stage behind those of another one, which is held: an event for each.
 * @throws 412 when its limit has no room for them
 */
export async function moveTasks(writing: Writing, from: Entrance, to: Entrance): Promise<void> {
  const { db, orgId, now } = writing
  await refuseIfFull(db, orgId, to, await tasksIn(db, orgId, from.id))
  const start = await positionBehind(db, tasksOf(orgId, to.id))
  await change(writing, 'task.moved', from.id, (standing) => {
    // in their order, and as far apart as they were
    const shift = start - (standing[0]?.position ?? 0)
    return sql`stage_id = ${to.id}, position = position + ${shift}, completed_at = ${completedIn(to, now)}`
  })
}

/** Completes the tasks of a stage that has become a done one, reopens those of one that ceased to be: an event for each. */
export function completeTasks(writing: Writing, stage: Entrance): Promise<void> {
  return change(writing, 'task.updated', stage.id, () => sql`completed_at = ${completedIn(stage, writing.now)}`)
}

/** Since when a task that stands in a stage is completed. */
export const completedIn = ({ category }: Pick<Entrance, 'category'>, now: string): Sql =>
  category === 'done' ? sql`coalesce(tasks.completed_at, ${now})` : sql`null`

interface Standing {
  id: string
  position: number
  completedAt: string | null
}

/** @param set how the tasks change, who stand in the stage from top to bottom; who left it meanwhile has left */
async function change(
  { db, orgId, emit, now }: Writing,
  type: string,
  stageId: string,
  set: (standing: readonly Standing[]) => Sql,
): Promise<void> {
  const standing = await db.rows<Standing>(sql`
    select id, position, completed_at as "completedAt" from tasks
    where org_id = ${orgId} and stage_id = ${stageId} and deleted_at is null order by position, id for no key update`)
  if (standing.length === 0) return
  const changed = await db.rows<Task>(sql`
    update tasks set ${set(standing)}, version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and stage_id = ${stageId} and deleted_at is null returning ${taskColumns}${withDetaching(orgId)}`)
  const byId = new Map(changed.map((task) => [task.id, rowLeft(task, taskLeft)]))
  for (const { id, ...before } of standing) {
    const task = byId.get(id)
    if (task) emit(type, task, { before: { ...task, stageId, ...before } })
  }
}
