import { positionGap } from '../resources/board/order.ts'
import { Subtask } from '../resources/subtask.ts'
import { momentOf, workdays } from './calendar.ts'
import { shown } from './events.ts'
import { type Ground, momentOn } from './ground.ts'
import type { Step, Task } from './task.ts'
import { speech } from './words/disciplines.ts'

/** Adds some subtasks of a task that follow each other, finalized one by one while the task goes on. */
export function addSteps(ground: Ground, task: Task): Step[] {
  const { id: taskId, project, discipline, life, createdMs, completedMs, assignees } = task
  const { random, mint, rows } = ground
  const names = speech[discipline].steps
  const count = random.between(2, 5)
  const first = random.between(0, names.length - count)
  let finalMs = 0
  return names.slice(first, first + count).map((name, index) => {
    const ms = createdMs + (index + 1) * random.between(5_000, 20_000)
    const id = mint(ms)
    const done = Math.ceil(((index + 1) / count) * (life.ends - life.starts))
    const finalOn = Number.isFinite(life.starts) ? life.starts + done : life.starts
    const final = finalOn < workdays && assignees.length > 0
    const createdAt = momentOf(ms)
    // one after the other, and none after the task itself
    if (final) finalMs = Math.min(Math.max(momentOn(ground, finalOn), finalMs + 60_000), completedMs ?? ground.nowMs)
    const finalizedAt = final ? momentOf(finalMs) : null
    const row = {
      id,
      taskId,
      projectId: project.id,
      name,
      position: (index + 1) * positionGap,
      assigneeId: assignees.length > 0 && random.chance(0.6) ? random.pick(assignees).id : null,
      finalizedAt,
      finalizedBy: final ? random.pick(assignees).id : null,
      version: final ? 2 : 1,
      createdAt,
      updatedAt: finalizedAt ?? createdAt,
    }
    rows.add('subtasks', row)
    if (ground.events.keeps(row.updatedAt)) tellStep(ground, task, row)
    else ground.events.skip(row.version)
    return { id, finalOn: final ? finalOn : Number.POSITIVE_INFINITY }
  })
}

function tellStep({ events }: Ground, { assignees, project }: Task, row: Subtask): void {
  const { id: by } = assignees[0] ?? project.lead
  const item = shown(Subtask, row)
  const before = { ...item, finalizedAt: null, finalizedBy: null, version: 1, updatedAt: item.createdAt }
  events.tell({ type: 'subtask.created', by, item: before })
  if (item.finalizedAt === null) return
  events.tell({ type: 'subtask.finalized', by: item.finalizedBy, item, before })
}
