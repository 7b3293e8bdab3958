import { dayAfter, weekOf } from '../../parts/zone.ts'
import type { MySubtask, MyTask, PersonalWork } from './work.ts'

/** The time until a task is due, seen from a day. */
const whens = ['overdue', 'today', 'week', 'later', 'none'] as const
type DueGroup = (typeof whens)[number]

/** The user's task with the user's subtasks of it, or the user's subtasks of another task. */
export interface Item {
  id: string
  due: string | null
  task: MyTask | null
  steps: readonly MySubtask[]
}

/** Groups the work by due date, the earliest first; a subtask is due with its task. */
export function groupsOf({ tasks, subtasks }: PersonalWork, today: string, weekStart: Parameters<typeof weekOf>[1]) {
  const inOrder = subtasks.toSorted((one, other) => one.position - other.position)
  const stepsOf = (taskId: string) => inOrder.filter((subtask) => subtask.taskId === taskId)
  const own: Item[] = tasks.map((task) => ({ id: task.id, due: task.dueDate, task, steps: stepsOf(task.id) }))
  const shown = new Set(tasks.map(({ id }) => id))
  const others = [...new Set(subtasks.map(({ taskId }) => taskId))].filter((id) => !shown.has(id))
  const foreign: Item[] = others.map((id) => {
    const steps = stepsOf(id)
    return { id, due: steps[0]?.task?.dueDate ?? null, task: null, steps }
  })
  const nextWeek = dayAfter(weekOf(today, weekStart), 7)
  const items = [...own, ...foreign].toSorted((one, other) =>
    (one.due ?? '~') < (other.due ?? '~') ? -1 : one.due === other.due ? 0 : 1,
  )
  return whens
    .map((when) => ({ when, items: items.filter(({ due }) => whenOf(due, today, nextWeek) === when) }))
    .filter(({ items }) => items.length > 0)
}

function whenOf(due: string | null, today: string, nextWeek: string): DueGroup {
  if (due === null) return 'none'
  if (due < today) return 'overdue'
  if (due === today) return 'today'
  return due < nextWeek ? 'week' : 'later'
}
