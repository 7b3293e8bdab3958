import { Comment } from '../resources/comment.ts'
import { momentOf, workdays } from './calendar.ts'
import { pickFields } from './events.ts'
import { momentOn, type Seeding } from './seeding.ts'
import type { Task } from './task.ts'
import { remarks } from './words/organization.ts'

/** Adds comments of the team on some tasks, while these are worked on. */
export function addComments(seeding: Seeding, { id: taskId, project, starts, ends }: Task): void {
  const { random, mint, rows, events } = seeding
  const lastDay = Math.min(ends, workdays) - 1
  if (starts > lastDay || random.chance(0.8)) return
  for (let left = random.between(1, 3); left > 0; left--) {
    const ms = momentOn(seeding, random.between(starts, lastDay))
    const createdAt = momentOf(ms)
    const { id: authorId } = random.pick(project.team)
    const row = { id: mint(ms), taskId, projectId: project.id, authorId, body: random.pick(remarks), version: 1 }
    const item = pickFields(Comment, { ...row, createdAt, updatedAt: createdAt })
    rows.add('comments', item)
    events.tell({ type: 'comment.created', by: authorId, item })
  }
}
