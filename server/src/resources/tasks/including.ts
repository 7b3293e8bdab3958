import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { rowLeft, withDetaching } from '../../db/detachments.ts'
import { sql } from '../../db/sql.ts'
import { words } from '../../http/fields.ts'
import type { Caller } from '../../http/route.ts'
import { Member, member } from '../members/members.ts'
import { sums } from '../reports/sums.ts'
import { rooms } from '../room.ts'
import { Subtask, subtaskColumns, subtaskLeft } from '../subtasks/subtask.ts'
import { Tag, tag } from '../tags/tags.ts'
import { Task } from './task.ts'

const parts = ['assignees', 'tags', 'subtasks', 'trackedSeconds'] as const
type Part = (typeof parts)[number]

/** What may be asked for beside a task. */
export const include = words(parts, parts.length)
  .optional()
  .meta({ description: `Any of ${parts.join(', ')}, separated by commas. Such an answer has no ETag.` })

// subtasks on one page of tasks: each task has its share of them
const mostOfPage = 2_000

/** A task with what was asked for beside it. */
export const FullTask = Task.extend({
  assignees: z.array(Member).max(20).optional(),
  tags: z.array(Tag).max(50).optional(),
  subtasks: z
    .array(Subtask)
    .max(rooms.subtasksOfTask.most)
    .optional()
    .meta({ description: `In their order: all of them, unless a page would hold more than ${mostOfPage}.` }),
  moreSubtasks: z.literal(true).optional().meta({
    description: 'Where not all of its subtasks are here: GET /tasks/{id}/subtasks has them.',
  }),
  trackedSeconds: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'Time on it and its subtasks; what runs counts so far.' }),
}).meta({ id: 'FullTask', description: 'A task, with what `include` asked for.' })
export type FullTask = z.output<typeof FullTask>

/** Adds what was asked for to tasks that the caller sees: one statement for each part, however many tasks there are. */
export async function including(
  db: Db,
  caller: Caller,
  tasks: readonly Task[],
  wanted: readonly Part[] = [],
  now: string,
): Promise<FullTask[]> {
  const taskIds = tasks.map(({ id }) => id)
  const asked = (part: Part) => wanted.includes(part) && tasks.length > 0
  const [assignees, tags, subtasks, tracked] = await Promise.all([
    asked('assignees')
      ? byId(
          member,
          tasks.flatMap(({ assigneeIds }) => assigneeIds),
        )
      : undefined,
    asked('tags')
      ? byId(
          tag,
          tasks.flatMap(({ tagIds }) => tagIds),
        )
      : undefined,
    asked('subtasks') ? subtasksOf(db, caller.orgId, taskIds) : undefined,
    asked('trackedSeconds') ? trackedOn(db, caller.orgId, taskIds, now) : undefined,
  ])
  return tasks.map((task) => ({
    ...task,
    ...(assignees && { assignees: task.assigneeIds.flatMap((id) => assignees.get(id) ?? []) }),
    ...(tags && { tags: task.tagIds.flatMap((id) => tags.get(id) ?? []) }),
    ...subtasks?.(task.id),
    ...(tracked && { trackedSeconds: tracked.get(task.id) ?? 0 }),
  }))

  async function byId<Item extends { id: string }>(
    { find }: { find: (db: Db, caller: Caller, wanted: { ids: string[]; lock: 'none' }) => Promise<{ item: Item }[]> },
    ids: string[],
  ) {
    const found = await find(db, caller, { ids: [...new Set(ids)], lock: 'none' })
    return new Map(found.map(({ item }) => [item.id, item]))
  }
}

/** The first subtasks of each task, and whether there are more. */
async function subtasksOf(db: Db, orgId: string, taskIds: string[]) {
  const share = Math.min(rooms.subtasksOfTask.most, Math.floor(mostOfPage / taskIds.length))
  const rows = await db.rows<Subtask>(sql`
    select ${subtaskColumns}${withDetaching(orgId)} from unnest(${taskIds}::uuid[]) asked (id)
    cross join lateral (
      select * from subtasks
      where subtasks.org_id = ${orgId} and subtasks.task_id = asked.id and subtasks.deleted_at is null
      order by subtasks.position, subtasks.id limit ${share + 1}) subtasks
    order by subtasks.position, subtasks.id`)
  const byTask = new Map(taskIds.map((id): [string, Subtask[]] => [id, []]))
  for (const row of rows) byTask.get(row.taskId)?.push(rowLeft(row, subtaskLeft))
  return (taskId: string): Pick<FullTask, 'subtasks' | 'moreSubtasks'> => {
    const all = byTask.get(taskId) ?? []
    return all.length > share ? { subtasks: all.slice(0, share), moreSubtasks: true } : { subtasks: all }
  }
}

// time on tasks and on subtasks apart: as one condition no index would find it
async function trackedOn(db: Db, orgId: string, taskIds: string[], now: string): Promise<Map<string, number>> {
  const rows = await db.rows<{ taskId: string; ms: number }>(sql`
    select "taskId", ${sums(now)} from (
      select task_id as "taskId", duration_ms, started_at, ended_at, billable from time_entries
      where org_id = ${orgId} and task_id = any(${taskIds}) and deleted_at is null
      union all
      select subtasks.task_id, duration_ms, started_at, ended_at, billable from subtasks
      join time_entries on time_entries.org_id = ${orgId} and subtask_id = subtasks.id
        and time_entries.deleted_at is null
      where subtasks.org_id = ${orgId} and subtasks.task_id = any(${taskIds}) and subtasks.deleted_at is null
    ) time_entries
    group by 1`)
  return new Map(rows.map(({ taskId, ms }) => [taskId, Math.floor(ms / 1_000)]))
}
