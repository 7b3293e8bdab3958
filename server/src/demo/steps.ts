import { positionGap } from '../resources/board/order.ts'
import { Subtask } from '../resources/subtask.ts'
import { momentOf, workdays } from './calendar.ts'
import { pickFields } from './events.ts'
import { momentOn, type Seeding } from './seeding.ts'
import type { Step, Task } from './task.ts'
import { speech } from './words/disciplines.ts'

/** Adds some subtasks of a task that follow each other, finalized one by one while the task goes on. */
export function addSteps(seeding: Seeding, task: Task): Step[] {
  const { id: taskId, project, starts, ends, createdMs, completedMs, assignees } = task
  const { random, mint, rows, events } = seeding
  const names = speech[task.discipline].steps
  const count = random.between(2, 5)
  const first = random.between(0, names.length - count)
  let finalMs = 0
  return names.slice(first, first + count).map((name, index) => {
    const ms = createdMs + (index + 1) * random.between(5_000, 20_000)
    const id = mint(ms)
    const finalOn = Number.isFinite(starts) ? starts + Math.ceil(((index + 1) / count) * (ends - starts)) : starts
    const isFinal = finalOn < workdays && assignees.length > 0
    const createdAt = momentOf(ms)
    // one after the other, and none after the task itself
    if (isFinal)
      finalMs = Math.min(Math.max(momentOn(seeding, finalOn), finalMs + 60_000), completedMs ?? seeding.nowMs)
    const finalizedAt = isFinal ? momentOf(finalMs) : null
    const row = {
      id,
      taskId,
      projectId: project.id,
      name,
      position: (index + 1) * positionGap,
      assigneeId: assignees.length > 0 && random.chance(0.6) ? random.pick(assignees).id : null,
      finalizedAt,
      finalizedBy: isFinal ? random.pick(assignees).id : null,
      version: isFinal ? 2 : 1,
      createdAt,
      updatedAt: finalizedAt ?? createdAt,
    }
    rows.add('subtasks', row)
    const item = pickFields(Subtask, row)
    const before = { ...item, finalizedAt: null, finalizedBy: null, version: 1, updatedAt: createdAt }
    events.tell({ type: 'subtask.created', by: (assignees[0] ?? project.lead).id, item: before })
    if (isFinal) events.tell({ type: 'subtask.finalized', by: item.finalizedBy, item, before })
    return { id, finalOn: isFinal ? finalOn : Number.POSITIVE_INFINITY }
  })
}
