import { z } from 'zod'
import type { Db } from '../../db/db.ts'
import { withDetaching } from '../../db/detachments.ts'
import { sql } from '../../db/sql.ts'
import { eachNamed, includable, named, type Part, seen } from '../../lists/include.ts'
import { stripItems, withoutLastItem } from '../../lists/joined-items.ts'
import { Stage } from '../board/stage.ts'
import { stage } from '../board/stages.ts'
import { BriefWorkspace, briefWorkspace } from '../board/workspaces.ts'
import { limits } from '../limits.ts'
import { Member, member, NamedMember, namedMembers } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { Subtask, storedSubtasks } from '../subtask.ts'
import { Tag, tag } from '../tags/tags.ts'
import { Task } from '../task.ts'
import { TaskType, taskType } from '../task-types/task-types.ts'
import { sums } from '../time/reports/sums.ts'

// subtasks on one page of tasks, shared evenly among the tasks
const mostOfPage = 2_000

/** The subtasks of each task, in their order. */
const subtasks: Part<Task> = {
  schema: z.array(Subtask).max(limits.subtasksOfTask.most),
  needs: [],
  bound: {
    which: `In their order: all of them, unless a page would hold more than ${mostOfPage}.`,
    rest: 'Where not all of its subtasks are here: GET /tasks/{id}/subtasks has them.',
  },
  async read({ db, caller: { orgId } }, tasks) {
    const share = Math.min(limits.subtasksOfTask.most, Math.floor(mostOfPage / tasks.length))
    const rows = await db.rows<{ taskId: string; count: number; all: string; detaching: string[] | null }>(sql`
      select asked.id as "taskId", subtasks.count, subtasks.all${withDetaching(orgId)}
      from unnest(${tasks.map(({ id }) => id)}::uuid[]) asked (id)
      cross join lateral (
        select count(*)::int as count, string_agg(shown, ',' order by position, id) as all from (
          select subtasks.shown, subtasks.position, subtasks.id from subtasks
          where subtasks.org_id = ${orgId} and subtasks.task_id = asked.id and subtasks.deleted_at is null
          order by subtasks.position, subtasks.id limit ${share + 1}) subtasks) subtasks
      where subtasks.count > 0`)
    const byTask = new Map(rows.map((row) => [row.taskId, row]))
    return ({ id }) => {
      const { count, all, detaching } = byTask.get(id) ?? none
      const first = count > share ? withoutLastItem(all) : all
      const shown = detaching ? stripItems(first, storedSubtasks.strip, detaching) : first
      return { json: `[${shown}]`, isCut: count > share }
    }
  },
}

const none = { count: 0, all: '', detaching: null }

const trackedSeconds: Part<Task> = {
  schema: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ description: 'Time on it and its subtasks; what runs counts so far.' }),
  needs: [],
  async read({ db, caller, now }, tasks) {
    const tracked = await trackedOn(
      db,
      caller.orgId,
      tasks.map(({ id }) => id),
      now,
    )
    return ({ id }) => ({ json: `${tracked.get(id) ?? 0}` })
  },
}

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

/** What may be included beside a task. */
export const besideTask = includable<Task>(Task, 'A task', {
  assignees: eachNamed(Member, 20, 'assigneeIds', seen(member)),
  tags: eachNamed(Tag, 50, 'tagIds', seen(tag)),
  subtasks,
  trackedSeconds,
  project: named(BriefProject, 'projectId', seen(briefProject)),
  workspace: named(BriefWorkspace, 'workspaceId', seen(briefWorkspace)),
  stage: named(Stage, 'stageId', seen(stage)),
  type: named(TaskType, 'typeId', seen(taskType)),
  creator: named(NamedMember, 'createdBy', namedMembers),
})
