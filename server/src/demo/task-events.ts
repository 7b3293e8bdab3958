import { positionGap } from '../resources/board/order.ts'
import { Task as TaskItem } from '../resources/task.ts'
import { momentOf } from './calendar.ts'
import { pickFields } from './events.ts'
import type { Seeding } from './seeding.ts'
import type { Task } from './task.ts'

/**
 * Tells the history of a task: created, begun, edited, completed.
 * @param row the task as it is now
 * @param moments of these events, as far as they happened, in ms
 */
export function tellTask({ events }: Seeding, task: Task, row: TaskItem, moments: readonly number[]): void {
  if (!events.keeps(row.updatedAt)) {
    events.skip(row.version)
    return
  }
  const now = pickFields(TaskItem, row)
  const edit: Partial<TaskItem> =
    row.description === null ? { priority: row.priority === 'high' ? 'none' : 'high' } : { description: null }
  const begun = task.completedMs === null ? {} : placeIn('doing')
  const differences = [{ ...edit, ...placeIn('todo') }, { ...edit, ...begun }, begun, {}]
  const { id: actor } = task.assignees[0] ?? task.project.lead
  let before: TaskItem | undefined
  for (const [index, ms] of moments.entries()) {
    const difference = moments.length === 1 ? {} : differences[index]
    const item = { ...now, ...difference, version: index + 1, updatedAt: momentOf(ms) }
    if (before === undefined) events.tell({ type: 'task.created', by: item.createdBy, item })
    else events.tell({ type: index === 2 ? 'task.updated' : 'task.moved', by: actor, item, before })
    before = item
  }

  /** The first stage of a kind on the board of the task. */
  function placeIn(category: 'todo' | 'doing') {
    const board = task.project.boards.find(({ id }) => id === row.workspaceId)
    const stage = board?.stages.find((one) => one.category === category)
    return { stageId: stage?.id ?? null, position: row.number * positionGap, completedAt: null }
  }
}
