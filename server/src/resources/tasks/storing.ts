import type { Db } from '../../db/database.ts'
import { newId, timeOf } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'
import { found } from '../../http/errors.ts'
import type { Caller } from '../../http/route.ts'
import { keepPositionOrGoLast } from '../order.ts'
import { readmit } from '../time-entries/policies.ts'
import { deletedWith, restoreBelow } from '../trash.ts'
import { searchable } from './filters.ts'
import { refuseIfFull } from './landing.ts'
import { storedTasks, type Task } from './task.ts'

type NewTask = Record<string, unknown> & {
  projectId: string
  name: string
  description?: string | null | undefined
} & Labels

interface Labels {
  assigneeIds?: string[] | undefined
  tagIds?: string[] | undefined
}

/** Stores a task under the next number of its project, whose row the caller has locked. */
export async function createTask(db: Db, caller: Caller, projectKey: string, task: NewTask): Promise<Task> {
  const { orgId, memberId } = caller
  const { assigneeIds = [], tagIds = [], ...own } = task
  const { number } = found(
    await db.row<{ number: number }>(sql`
      update projects set last_task_number = last_task_number + 1
      where org_id = ${orgId} and id = ${task.projectId} returning last_task_number as number`),
  )
  const id = newId()
  // the list is ordered by id alone: createdAt is the time in it
  const fields = { ...own, id, number, key: `${projectKey}-${number}`, createdBy: memberId, search: searchable(task) }
  const created = await storedTasks.insert(db, orgId, fields, timeOf(id).toISOString())
  if (assigneeIds.length + tagIds.length > 0) await labelTask(db, orgId, id, { assigneeIds, tagIds })
  return { ...created, assigneeIds: assigneeIds.toSorted(), tagIds: tagIds.toSorted() }
}

/** Sets who a task is assigned to and which tags it bears; what is undefined stays. */
export async function labelTask(db: Db, orgId: string, taskId: string, { assigneeIds, tagIds }: Labels): Promise<void> {
  if (assigneeIds) {
    await db.rows(sql`
      delete from task_assignees where org_id = ${orgId} and task_id = ${taskId} and member_id <> all(${assigneeIds})`)
    await db.rows(sql`
      insert into task_assignees (org_id, task_id, member_id)
      select ${orgId}::uuid, ${taskId}::uuid, unnest(${assigneeIds}::uuid[]) on conflict do nothing`)
  }
  if (tagIds) {
    await db.rows(sql`
      delete from task_tags where org_id = ${orgId} and task_id = ${taskId} and tag_id <> all(${tagIds})`)
    await db.rows(sql`
      insert into task_tags (org_id, task_id, tag_id)
      select ${orgId}::uuid, ${taskId}::uuid, unnest(${tagIds}::uuid[]) on conflict do nothing`)
  }
}

/** Removes a task with all that hangs below it, at one moment, by which a restore can tell what went with it. */
export async function removeTask(db: Db, orgId: string, taskId: string, now: string): Promise<void> {
  await db.rows(sql`
    update time_entries set deleted_at = ${now}, updated_at = ${now}, version = version + 1
    where org_id = ${orgId} and deleted_at is null and (task_id = ${taskId} or subtask_id in (
      select id from subtasks where org_id = ${orgId} and task_id = ${taskId}))`)
  for (const table of [sql`subtasks`, sql`comments`]) {
    await db.rows(sql`
      update ${table} set deleted_at = ${now}, updated_at = ${now}, version = version + 1
      where org_id = ${orgId} and task_id = ${taskId} and deleted_at is null`)
  }
  await storedTasks.remove(db, orgId, taskId, now)
}

/**
 * Brings back what was removed with a task. Where its stage is gone meanwhile, it returns off the board.
 * @throws 412 when its stage is full
 */
export async function restoreTask(db: Db, { orgId }: Caller, { id, stageId }: Task, now: string): Promise<void> {
  const above = { table: sql`tasks`, orgId, id }
  const onIt = sql`(time_entries.task_id = ${id} or time_entries.subtask_id in (
    select subtasks.id from subtasks where subtasks.org_id = ${orgId} and subtasks.task_id = ${id}))`
  await readmit(db, orgId, sql`${onIt} and ${deletedWith(sql`time_entries`, above)}`)
  await restoreBelow(db, sql`time_entries`, above, onIt, now)
  await restoreBelow(db, sql`subtasks`, above, sql`subtasks.task_id = ${id}`, now)
  await restoreBelow(db, sql`comments`, above, sql`comments.task_id = ${id}`, now)
  await db.rows(sql`
    update tasks set workspace_id = null, stage_id = null, position = null, completed_at = null
    where org_id = ${orgId} and id = ${id} and stage_id in (
      select stages.id from stages where stages.org_id = ${orgId} and stages.deleted_at is not null)`)
  const stage = await db.row<{ wipLimit: number | null }>(sql`
    select wip_limit as "wipLimit" from stages
    where org_id = ${orgId} and id = ${stageId} and deleted_at is null for no key update`)
  if (stage === undefined) return
  if (stage.wipLimit !== null && stageId !== null) await refuseIfFull(db, orgId, stageId, stage.wipLimit)
  await keepPositionOrGoLast(db, { table: sql`tasks`, orgId, among: sql`stage_id = ${stageId}` }, id)
}
