import { z } from 'zod'
import { withDetaching } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type IncludeContext, type IncludedPart, includable } from '../../lists/include.ts'
import { stripItems, withoutLastItem } from '../../lists/joined-items.ts'
import { boundOf, firstOf, itemsByIds, named, sharePerItem, valuePerItem, visibleByIds } from '../../lists/parts.ts'
import { Stage } from '../board/stage.ts'
import { stage } from '../board/stages.ts'
import { BriefWorkspace, briefWorkspace } from '../board/workspaces.ts'
import { Comment, storedComments } from '../comment.ts'
import { limits } from '../limits.ts'
import { Member, member, NamedMember, namedMember, namedMembers, storedMembers } from '../member.ts'
import { BriefProject, briefProject } from '../project.ts'
import { Subtask, storedSubtasks } from '../subtask.ts'
import { Tag, tag } from '../tags/tags.ts'
import { Task } from '../task.ts'
import { TaskType, taskType } from '../task-types/task-types.ts'
import { sums } from '../time/reports/sums.ts'

const { most } = limits.subtasksOfTask
const mostOnPage = 2_000

/** The subtasks of each task, in order. */
const subtasks: IncludedPart<Task> = {
  schema: z.array(Subtask).max(most),
  needs: [],
  bound: {
    which: boundOf('The subtasks of the task, in order', most, mostOnPage),
    rest: 'True if there are more. Use `GET /tasks/{id}/subtasks` to get all.',
  },
  async read({ db, caller: { orgId } }, tasks) {
    const share = sharePerItem(most, mostOnPage, tasks.length)
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

const AuthoredComment = Comment.extend({ author: NamedMember }).meta({
  id: 'AuthoredComment',
  description: 'A comment with its author.',
})

/** The parts that `include` can add to a task. */
export const besideTask = includable<Task>(Task, 'A task', {
  assignees: itemsByIds(Member, 20, 'assigneeIds', visibleByIds(member)),
  tags: itemsByIds(Tag, 50, 'tagIds', visibleByIds(tag)),
  subtasks,
  trackedSeconds: valuePerItem(
    z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'The time on the task and its subtasks. Running time entries count up to now.' }),
    0,
    trackedOn,
  ),
  project: named(BriefProject, 'projectId', visibleByIds(briefProject)),
  workspace: named(BriefWorkspace, 'workspaceId', visibleByIds(briefWorkspace)),
  stage: named(Stage, 'stageId', visibleByIds(stage)),
  type: named(TaskType, 'typeId', visibleByIds(taskType)),
  creator: named(NamedMember, 'createdBy', namedMembers),
  subtaskAssignees: firstOf({
    schema: Member,
    onPage: 1_000,
    order: 'The members that its subtasks are assigned to, each once',
    rest: 'True if there are more. Use `GET /subtasks?taskId=…&include=assignee` to get all.',
    find: assignedBelow,
  }),
  comments: firstOf({
    schema: AuthoredComment,
    ofOne: 50,
    onPage: 100,
    order: 'The comments on the task, newest first, each with its author',
    rest: 'True if there are more. Use `GET /tasks/{id}/comments` to get all.',
    find: lastComments,
  }),
})

// Time on tasks and time on subtasks are read separately: no index serves both as one condition. Each task is read by
// itself: in a free join, the planner could read all time of the organization for a few tasks.
async function trackedOn(
  { db, caller: { orgId }, now }: IncludeContext,
  taskIds: string[],
): Promise<Map<string, number>> {
  const timeOn = (parent: Sql) => sql`
    cross join lateral (
      select duration_ms, started_at, ended_at, billable from time_entries
      where time_entries.org_id = ${orgId} and ${parent} and time_entries.deleted_at is null offset 0) time_entries`
  const rows = await db.rows<{ taskId: string; seconds: number }>(sql`
    select "taskId", ${sums(now)} from (
      select asked.id as "taskId", time_entries.* from unnest(${taskIds}::uuid[]) asked (id)
      ${timeOn(sql`time_entries.task_id = asked.id`)}
      union all
      select asked.id, time_entries.* from unnest(${taskIds}::uuid[]) asked (id)
      cross join lateral (
        select subtasks.id from subtasks
        where subtasks.org_id = ${orgId} and subtasks.task_id = asked.id and subtasks.deleted_at is null offset 0) subtasks
      ${timeOn(sql`time_entries.subtask_id = subtasks.id`)}) time_entries
    group by 1`)
  return new Map(rows.map(({ taskId, seconds }) => [taskId, seconds]))
}

async function assignedBelow({ db, caller: { orgId } }: IncludeContext, taskIds: string[], ofEach: number) {
  const rows = await db.rows<Member & { of: string; name_key: string }>(sql`
    select asked.id as of, assigned.* from unnest(${taskIds}::uuid[]) asked (id)
    cross join lateral (
      select ${storedMembers.columns}, members.name_key from members
      where members.org_id = ${orgId} and members.deleted_at is null and members.id in (
        select subtasks.assignee_id from subtasks
        where subtasks.org_id = ${orgId} and subtasks.task_id = asked.id and subtasks.deleted_at is null)
      order by members.name_key, members.id limit ${ofEach}) assigned
    order by assigned.name_key, assigned.id`)
  return rows.map(({ of, name_key, ...one }) => ({ of, one }))
}

async function lastComments({ db, caller: { orgId } }: IncludeContext, taskIds: string[], ofEach: number) {
  const rows = await db.rows<Comment & { author: NamedMember }>(sql`
    select comments.*, ${namedMember} as author from unnest(${taskIds}::uuid[]) asked (id)
    cross join lateral (
      select ${storedComments.columns} from comments
      where comments.org_id = ${orgId} and comments.task_id = asked.id and comments.deleted_at is null
      order by comments.id desc limit ${ofEach}) comments
    join members on members.org_id = ${orgId} and members.id = comments."authorId"
    order by comments.id desc`)
  return rows.map((one) => ({ of: one.taskId, one }))
}
