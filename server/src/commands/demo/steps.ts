import { positionGap } from '../../resources/board/order.ts'
import { Comment } from '../../resources/comment.ts'
import { Subtask } from '../../resources/subtask.ts'
import { momentOf, workdays } from './calendar.ts'
import type { SeededTask, Step } from './seeded-task.ts'
import { momentOn, type SeedContext } from './seeding.ts'
import { disciplineWords } from './words/disciplines.ts'
import { commentTexts } from './words/organization.ts'

const hourMs = 3_600_000

/** Adds consecutive subtasks of a task. They are finalized one by one while the task is in progress. */
export function addSteps({ random, mint, day, rows, events }: SeedContext, task: SeededTask): Step[] {
  const { id: taskId, project, starts, ends, createdMs, completedMs, assignees } = task
  const names = disciplineWords[task.discipline].steps
  const count = random.between(2, 5)
  const first = random.between(0, names.length - count)
  const creator = (assignees[0] ?? project.lead).id
  return names.slice(first, first + count).map((name, index) => {
    const id = mint(createdMs)
    const createdAt = momentOf(createdMs)
    const finalOn = starts + Math.ceil(((index + 1) / count) * (ends - starts))
    const finalMs = Math.min(day(finalOn) + (9 + index) * hourMs, completedMs ?? Number.POSITIVE_INFINITY)
    const created = {
      id,
      taskId,
      projectId: project.id,
      name,
      position: (index + 1) * positionGap,
      assigneeId: assignees.length > 0 && random.chance(0.6) ? random.pick(assignees).id : null,
      finalizedAt: null,
      finalizedBy: null,
      version: 1,
      createdAt,
      updatedAt: createdAt,
    }
    events.tell({ type: 'subtask.created', by: creator, schema: Subtask, row: created })
    if (finalOn >= workdays) {
      rows.add('subtasks', created)
      return { id, finalOn }
    }
    const finalizedAt = momentOf(finalMs)
    const row = { ...created, finalizedAt, finalizedBy: creator, version: 2, updatedAt: finalizedAt }
    rows.add('subtasks', row)
    events.tell<Subtask>({ type: 'subtask.finalized', by: creator, schema: Subtask, row, before: created })
    return { id, finalOn }
  })
}

/** Adds comments of the team to some tasks, at times when the team works on them. */
export function addComments(seeding: SeedContext, { id: taskId, project, starts, ends }: SeededTask): void {
  const { random, mint, rows, events } = seeding
  const lastDay = Math.min(ends, workdays) - 1
  if (starts > lastDay || random.chance(0.8)) return
  for (let left = random.between(1, 3); left > 0; left--) {
    const ms = momentOn(seeding, random.between(starts, lastDay))
    const createdAt = momentOf(ms)
    const { id: authorId } = random.pick(project.team)
    const fields = { taskId, projectId: project.id, authorId, body: random.pick(commentTexts), version: 1 }
    const row = { id: mint(ms), ...fields, createdAt, updatedAt: createdAt }
    rows.add('comments', row)
    events.tell({ type: 'comment.created', by: authorId, schema: Comment, row })
  }
}
