import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import type { Lookup } from '../../access/loader.ts'
import { words } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { withDetaching } from '../../db/detachments.ts'
import { sql } from '../../db/sql.ts'
import { idOfItem, stripItems, withoutLastItem } from '../../lists/joined-items.ts'
import { limits } from '../limits.ts'
import { Member, member } from '../member.ts'
import { Subtask, storedSubtasks } from '../subtask.ts'
import { Tag, tag } from '../tags/tags.ts'
import { Task } from '../task.ts'
import { sums } from '../time/reports/sums.ts'

const parts = ['assignees', 'tags', 'subtasks', 'trackedSeconds'] as const
type Part = (typeof parts)[number]

/** What may be asked for beside a task. */
export const include = words(parts, parts.length)
  .optional()
  .meta({ description: `Any of ${parts.join(', ')}, separated by commas. Such an answer has no ETag.` })

// subtasks on one page of tasks, shared evenly among the tasks
const mostOfPage = 2_000

/** A task with what was asked for beside it. */
export const FullTask = Task.extend({
  assignees: z.array(Member).max(20).optional(),
  tags: z.array(Tag).max(50).optional(),
  subtasks: z
    .array(Subtask)
    .max(limits.subtasksOfTask.most)
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

/**
 * Adds what was asked for to tasks that the caller sees: one statement for each part, however many tasks there are.
 * @param texts the tasks, as the JSON that the client gets
 * @returns the same with what was asked for
 */
export async function includeParts(
  db: Db,
  caller: Caller,
  texts: readonly string[],
  wanted: readonly Part[],
  now: string,
): Promise<string[]> {
  const taskIds = texts.map(idOfItem)
  const asked = (part: Part) => wanted.includes(part) && texts.length > 0
  // texts may be long: they are parsed only where their references are needed
  const refers = asked('assignees') || asked('tags')
  const tasks = refers ? texts.map((text): Task => JSON.parse(text)) : []
  const [assignees, tags, subtasks, tracked] = await Promise.all([
    asked('assignees') ? besideEach(member, ({ assigneeIds }) => assigneeIds) : undefined,
    asked('tags') ? besideEach(tag, ({ tagIds }) => tagIds) : undefined,
    asked('subtasks') ? subtasksOf(db, caller.orgId, taskIds) : undefined,
    asked('trackedSeconds') ? trackedOn(db, caller.orgId, taskIds, now) : undefined,
  ])
  return texts.map((text, i) => {
    const taskId = taskIds[i] ?? ''
    const added = [
      assignees && `,"assignees":[${assignees(i)}]`,
      tags && `,"tags":[${tags(i)}]`,
      subtasks?.(taskId),
      tracked && `,"trackedSeconds":${tracked.get(taskId) ?? 0}`,
    ]
    return `${text.slice(0, -1)}${added.filter((part) => part !== undefined).join('')}}`
  })

  async function besideEach(
    { load }: { load: (db: Db, caller: Caller, wanted: Lookup) => Promise<{ item: { id: string } }[]> },
    ids: (task: Task) => string[],
  ) {
    const found = await load(db, caller, { ids: [...new Set(tasks.flatMap(ids))], lock: 'none' })
    const shown = new Map(found.map(({ item }) => [item.id, JSON.stringify(item)]))
    return (i: number) => tasks.slice(i, i + 1).flatMap((task) => ids(task).flatMap((id) => shown.get(id) ?? []))
  }
}

/** The first subtasks of each task, and whether there are more. */
async function subtasksOf(db: Db, orgId: string, taskIds: string[]) {
  const share = Math.min(limits.subtasksOfTask.most, Math.floor(mostOfPage / taskIds.length))
  const rows = await db.rows<{ taskId: string; count: number; all: string; detaching: string[] | null }>(sql`
    select asked.id as "taskId", subtasks.count, subtasks.all${withDetaching(orgId)} from unnest(${taskIds}::uuid[]) asked (id)
    cross join lateral (
      select count(*)::int as count, string_agg(shown, ',' order by position, id) as all from (
        select subtasks.shown, subtasks.position, subtasks.id from subtasks
        where subtasks.org_id = ${orgId} and subtasks.task_id = asked.id and subtasks.deleted_at is null
        order by subtasks.position, subtasks.id limit ${share + 1}) subtasks) subtasks
    where subtasks.count > 0`)
  const byTask = new Map(rows.map((row) => [row.taskId, row]))
  return (taskId: string): string => {
    const { count, all, detaching } = byTask.get(taskId) ?? none
    const first = count > share ? withoutLastItem(all) : all
    const shown = detaching ? stripItems(first, storedSubtasks.strip, detaching) : first
    return `,"subtasks":[${shown}]${count > share ? ',"moreSubtasks":true' : ''}`
  }
}

const none = { count: 0, all: '', detaching: null }

// time on tasks and time on subtasks are read apart: no index would serve them as one condition
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
