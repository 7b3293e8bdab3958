import { positionGap } from '../resources/board/order.ts'
import { Task as ShownTask } from '../resources/task.ts'
import { momentOf, workdays } from './calendar.ts'
import { shown } from './events.ts'
import { type Ground, momentOn } from './ground.ts'
import { at } from './random.ts'
import type { Task } from './task.ts'

/**
 * Tells how a task became what it is: created, begun, edited, done.
 * @param row what it is; it says how often it was changed, and when last
 */
export function tellTask(ground: Ground, task: Task, row: ShownTask): void {
  const { events } = ground
  if (!events.keeps(row.updatedAt)) {
    events.skip(row.version)
    return
  }
  const moments = momentsOf(ground, task, row)
  const states = statesOf(ground, task, row, moments)
  for (const [index, item] of states.entries()) {
    const before = states[index - 1]
    if (before === undefined) events.tell({ type: 'task.created', by: item.createdBy, item })
    else {
      const type = before.stageId === item.stageId ? 'task.updated' : 'task.moved'
      const { id: by } = events.random.pick(task.assignees.length > 0 ? task.assignees : task.project.team)
      events.tell({ type, by, item, before })
    }
  }
}

/** When it was created and when it was changed, in ms, ascending. */
function momentsOf({ events: { random }, day }: Ground, { life, createdMs }: Task, { version, updatedAt }: ShownTask) {
  if (version === 1) return [createdMs]
  const lastMs = Date.parse(updatedAt)
  const between = Array.from({ length: version - 2 }, (_, index) => {
    const workday = index === 0 ? life.starts : random.between(life.starts, Math.min(life.ends, workdays - 1))
    return Math.min(Math.max(momentOn({ random, day }, workday), createdMs + 1_000), lastMs)
  })
  return [createdMs, ...between.sort((one, other) => one - other), lastMs]
}

/** What it was at each of these moments: from what it is now back to what it was created as. */
function statesOf({ events: { random } }: Ground, task: Task, row: ShownTask, moments: readonly number[]) {
  let item = shown(ShownTask, row)
  const states = [item]
  for (let index = moments.length - 2; index >= 0; index--) {
    const times = { version: index + 1, updatedAt: momentOf(at(moments, index)) }
    item = { ...item, ...before(index), ...times }
    states.unshift(item)
  }
  return states

  /** What was different before a change: the first one begins the task, the last one of a task that is done ends it. */
  function before(index: number): Partial<ShownTask> {
    if (index === 0) return standing('todo')
    if (index === moments.length - 2 && task.life.state === 'done') return standing('doing')
    const now = item
    return random.pick(
      edits.filter((edit) =>
        Object.entries(edit).every(([field, value]) => String(now[field as keyof ShownTask]) !== String(value)),
      ),
    )
  }

  function standing(category: 'todo' | 'doing') {
    const board = task.project.boards.find(({ id }) => id === row.workspaceId) ?? at(task.project.boards, 0)
    const stage = random.pick(board.stages.filter((stage) => stage.category === category))
    return { stageId: stage.id, position: row.number * positionGap, completedAt: null }
  }
}

/** What may have been different before somebody edited a task. */
const edits: Partial<ShownTask>[] = [
  ...[{ assigneeIds: [] }, { tagIds: [] }, { dueDate: null }, { estimateSeconds: null }, { description: null }],
  ...[{ priority: 'none' as const }, { priority: 'low' as const }, { priority: 'high' as const }],
]
