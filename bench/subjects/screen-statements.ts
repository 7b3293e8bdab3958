import { brief, task } from './statements.ts'

// What screens ask for, by statements as one writes them who knows the tables and indexes: sent by the floor.

/** $1 organization, $2 member, $3 limit + 1 */
export const workPage = `
  select ${task} from tasks
  where tasks.org_id = $1 and tasks.deleted_at is null and tasks.completed_at is null
    and exists (select from task_assignees
      where task_assignees.org_id = $1 and task_assignees.task_id = tasks.id and task_assignees.member_id = $2)
    and (tasks.project_id in (
      select projects.id from projects where projects.org_id = $1 and projects.deleted_at is not null)) is not true
  order by tasks.due_date nulls last, tasks.id limit $3`

const project = `projects.id, projects.key, projects.name, projects.color, projects.status,
  projects.start_date as "startDate", projects.due_date as "dueDate", projects.version,
  projects.created_at as "createdAt", projects.updated_at as "updatedAt"`

/** $1 organization, $2 member, $3 and $4 when it began, $5 limit + 1. What is included begins with an id of its own. */
export const week = `
  select time_entries.id, time_entries.task_id as "taskId", time_entries.subtask_id as "subtaskId",
    time_entries.project_id as "projectId", time_entries.member_id as "memberId",
    time_entries.started_at as "startedAt", time_entries.ended_at as "endedAt",
    time_entries.duration_ms / 1000 as "durationSeconds", time_entries.description, time_entries.billable,
    time_entries.tag_ids as "tagIds", time_entries.version, time_entries.created_at as "createdAt",
    time_entries.updated_at as "updatedAt",
    ${brief}, ${project}, members.id, members.name, members.email, members.status
  from time_entries
  join tasks on tasks.org_id = $1 and tasks.id = time_entries.task_id and tasks.deleted_at is null
  join projects on projects.org_id = $1 and projects.id = time_entries.project_id and projects.deleted_at is null
  join members on members.org_id = $1 and members.id = time_entries.member_id
  where time_entries.org_id = $1 and time_entries.member_id = $2 and time_entries.deleted_at is null
    and time_entries.started_at >= $3 and time_entries.started_at < $4
  order by time_entries.started_at desc, time_entries.id desc limit $5`

/** $1 organization, $2 limit, $3 now. The progress begins behind `updatedAt`. */
export const progressPage = `
  select (select count(*) from projects where org_id = $1 and deleted_at is null) as total, ${project}, counted.*, tracked.*
  from (
    select * from projects where org_id = $1 and deleted_at is null order by created_at desc, id desc limit $2) projects
  cross join lateral (
    select count(*) filter (where stages.category = 'todo') as todo,
      count(*) filter (where stages.category = 'doing') as doing,
      count(*) filter (where stages.category = 'done') as done,
      count(*) filter (where stages.category is null) as "offBoard",
      count(*) filter (where tasks.due_date < $3::date and stages.category is distinct from 'done') as overdue,
      coalesce(sum(tasks.estimate_seconds), 0) as "estimatedSeconds"
    from tasks left join stages on stages.org_id = $1 and stages.id = tasks.stage_id
    where tasks.org_id = $1 and tasks.project_id = projects.id and tasks.deleted_at is null) counted
  cross join lateral (
    select coalesce(sum(duration_ms), 0)::bigint / 1000 as "trackedSeconds" from time_entries
    where time_entries.org_id = $1 and time_entries.project_id = projects.id and time_entries.deleted_at is null) tracked
  order by projects.created_at desc, projects.id desc`

/** $1 organization, $2 workspace, $3 how many tasks of each stage. A task begins behind `taskCount`. */
export const boardPage = `
  select stages.id, stages.workspace_id as "workspaceId", stages.project_id as "projectId", stages.name, stages.category,
    stages.color, stages.wip_limit as "wipLimit", stages.position, stages.version, stages.created_at as "createdAt",
    stages.updated_at as "updatedAt", counted.count as "taskCount", tasks.*
  from stages
  cross join lateral (
    select count(*) as count from tasks
    where tasks.org_id = $1 and tasks.stage_id = stages.id and tasks.deleted_at is null) counted
  left join lateral (
    select ${task} from tasks
    where tasks.org_id = $1 and tasks.stage_id = stages.id and tasks.deleted_at is null
    order by tasks.position limit $3) tasks on true
  where stages.org_id = $1 and stages.workspace_id = $2 and stages.deleted_at is null
  order by stages.position, stages.id, tasks.position`
