import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/db.ts'
import { newTimedId } from '../../db/ids.ts'
import { joinTo } from '../../db/joins.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { keepPositionOrGoLast } from '../board/order.ts'
import { offBoard } from '../board/placement.ts'
import { lockStage, refuseIfFull, tasksOf } from '../board/stage.ts'
import { completedIn } from '../board/stage-tasks.ts'
import type { NumberingProject } from '../project.ts'
import { refuseIfAnyFrozen } from '../subtask.ts'
import { storedTasks, type Task } from '../task.ts'
import { checkRestoredTime } from '../time/policies.ts'
import { removeTime, type TimeContext } from '../time/time-writes.ts'
import { deletedWith, momentOfRemoval, type RestoreContext, removeBelow, restoreBelow } from '../trash.ts'

type NewTask = Record<string, unknown> & {
  projectId: string
  name: string
  description?: string | null | undefined
} & Labels

interface Labels {
  assigneeIds?: string[] | undefined
  tagIds?: string[] | undefined
}

/** Stores a task under the next number of its project. The caller has locked the row of the project. */
export async function createTask(db: Db, caller: Caller, project: NumberingProject, task: NewTask): Promise<Task> {
  const { orgId, memberId } = caller
  const labels = sorted(task)
  const number = project.lastTaskNumber + 1
  const { id, createdAt } = newTimedId()
  const fields = { ...task, ...labels, id, number, key: `${project.key}-${number}`, createdBy: memberId }
  const [created] = await Promise.all([
    storedTasks.insert(db, orgId, fields, createdAt),
    db.rows(sql`update projects set last_task_number = ${number} where org_id = ${orgId} and id = ${project.id}`),
  ])
  await referTo(db, orgId, id, labels)
  return created
}

/** Changes a task that the caller has locked. Undefined fields stay. */
export async function updateTask(
  db: Db,
  orgId: string,
  held: Task,
  changes: Record<string, unknown> & Labels & { name?: string | undefined; description?: string | null | undefined },
  now: string,
): Promise<Task> {
  const labels = sorted(changes)
  await referTo(db, orgId, held.id, labels)
  const { name = held.name, description = held.description, ...others } = changes
  const texts = name === held.name && description === held.description ? {} : { name, description }
  return storedTasks.update(db, orgId, held.id, { ...others, ...labels, ...texts }, now)
}

const sorted = ({ assigneeIds, tagIds }: Labels): Labels => ({
  assigneeIds: assigneeIds?.toSorted(),
  tagIds: tagIds?.toSorted(),
})

/** Updates the tables that join a task to its assignees and tags. Undefined lists stay. */
async function referTo(db: Db, orgId: string, taskId: string, { assigneeIds, tagIds }: Labels): Promise<void> {
  if (assigneeIds) await joinTo(db, assignees, orgId, taskId, assigneeIds)
  if (tagIds) await joinTo(db, tags, orgId, taskId, tagIds)
}

const assignees = { table: sql`task_assignees`, ones: sql`tasks`, of: sql`task_id`, to: sql`member_id` }
const tags = { table: sql`task_tags`, ones: sql`tasks`, of: sql`task_id`, to: sql`tag_id` }

/**
 * Removes a task with its subtasks, comments and time, all with the same deletion time: by it, a restore finds them.
 * @throws 412 when a subtask is finalized, or some of its time is locked
 */
export async function removeTask(context: TimeContext, taskId: string): Promise<void> {
  const { db, caller } = context
  const { orgId } = caller
  const time = timeOn(orgId, taskId)
  const [subtasks, comments] = [sql`subtasks.task_id = ${taskId}`, sql`comments.task_id = ${taskId}`]
  await refuseIfAnyFrozen(db, orgId, taskId)
  const now = await momentOfRemoval(
    db,
    orgId,
    context.now,
    [sql`time_entries`, time],
    [sql`subtasks`, subtasks],
    [sql`comments`, comments],
  )
  await removeTime({ ...context, now }, time)
  await removeBelow(db, sql`subtasks`, orgId, subtasks, now)
  await removeBelow(db, sql`comments`, orgId, comments, now)
  await storedTasks.remove(db, orgId, taskId, now)
}

/**
 * Restores the rows that were removed with a task. If its stage was deleted in the meantime, the task returns off the
 * board.
 * @throws 412 when its stage is full
 */
export async function restoreTask({ db, caller, target, now }: RestoreContext<Task>): Promise<void> {
  const { id, stageId } = target
  const { orgId } = caller
  const above = { table: sql`tasks`, orgId, id }
  const onIt = timeOn(orgId, id)
  await checkRestoredTime({ db, caller, now }, sql`${onIt} and ${deletedWith(sql`time_entries`, above)}`)
  await restoreBelow(db, sql`time_entries`, above, onIt, now)
  await restoreBelow(db, sql`subtasks`, above, sql`subtasks.task_id = ${id}`, now)
  await restoreBelow(db, sql`comments`, above, sql`comments.task_id = ${id}`, now)
  if (stageId === null) return
  const stage = await lockStage(db, orgId, stageId)
  const place = stage ? { completedAt: completedIn(stage, now) } : offBoard
  await db.rows(sql`update tasks set ${sql.set({ ...place })} where org_id = ${orgId} and id = ${id}`)
  if (stage === undefined) return
  await refuseIfFull(db, orgId, stage)
  await keepPositionOrGoLast(db, tasksOf(orgId, stageId), id)
}

/**
 * Condition: time on a task or its subtasks. The ids are an array, not a sub-select, so that the planner uses an index.
 */
const timeOn = (orgId: string, taskId: string): Sql => sql`(time_entries.task_id = ${taskId}
  or time_entries.subtask_id = any(array(
    select subtasks.id from subtasks where subtasks.org_id = ${orgId} and subtasks.task_id = ${taskId})))`
