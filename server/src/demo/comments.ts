import { Comment } from '../resources/comment.ts'
import { momentOf, workdays } from './calendar.ts'
import { shown } from './events.ts'
import { type Ground, momentOn } from './ground.ts'
import type { Task } from './task.ts'
import { remarks } from './words/remarks.ts'

/** Adds what people lately said about a task while they worked on it: as far back as the log goes, so that there are few. */
export function addComments(
  { events, mint, day, rows, nowMs }: Ground,
  { id: taskId, project, life, createdMs }: Task,
): void {
  const { random } = events
  const lastDay = Math.min(life.ends, workdays - 1)
  if (life.starts > lastDay || !events.keeps(momentOf(day(lastDay))) || random.chance(0.6)) return
  const moments = Array.from({ length: random.between(1, 3) }, () =>
    momentOn({ random, day }, random.between(life.starts, lastDay)),
  )
  for (const ms of moments.sort((one, other) => one - other)) {
    const createdAt = momentOf(ms)
    if (!events.keeps(createdAt) || ms <= createdMs || ms > nowMs) continue
    const author = random.pick(project.team)
    const row = {
      id: mint(ms),
      taskId,
      projectId: project.id,
      authorId: author.id,
      body: random.pick(remarks),
      version: 1,
    }
    const item = shown(Comment, { ...row, createdAt, updatedAt: createdAt })
    rows.add('comments', item)
    events.tell({ type: 'comment.created', by: author.id, item })
  }
}
