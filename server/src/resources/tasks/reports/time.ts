import { type Sql, sql } from '../../../db/sql.ts'
import { trackedSeconds } from '../../time/reports/sums.ts'

/**
 * Query: these tasks, each with the time on it and its subtasks as `seconds`, looked up for each in two indexes that hold it. For
 * where few of all tasks match. `offset 0` keeps the planner from reading tasks in the order of an index, to have them in
 * groups: that is from all over the table.
 * @param matches condition: which tasks
 */
export const timedOneByOne = (orgId: string, matches: Sql, now: string): Sql => sql`
  select tasks.*, itself.seconds + steps.seconds as seconds from (select * from tasks where ${matches} offset 0) tasks
  cross join lateral (
    select ${trackedSeconds(now)} as seconds from time_entries where time_entries.org_id = ${orgId}
      and time_entries.task_id = tasks.id and time_entries.deleted_at is null) itself
  cross join lateral (
    select ${trackedSeconds(now)} as seconds from subtasks
    join time_entries on time_entries.org_id = ${orgId} and time_entries.subtask_id = subtasks.id
      and time_entries.deleted_at is null
    where subtasks.org_id = ${orgId} and subtasks.task_id = tasks.id and subtasks.deleted_at is null) steps`

/**
 * The same where nearly all tasks match: all time of the organization is summed up by task, in the order of these indexes.
 * No full join is done row by row, however few rows the planner expects; a task that does not match is left out behind it,
 * for which `offset 0` keeps it one.
 */
export const timedAtOnce = (orgId: string, matches: Sql, now: string): Sql => sql`
  select * from (
    select tasks.*, coalesce(itself.seconds, 0) + coalesce(steps.seconds, 0) as seconds from (select * from tasks where ${matches}) tasks
    full join (
      select time_entries.task_id, ${trackedSeconds(now)} as seconds from time_entries where time_entries.org_id = ${orgId}
        and time_entries.task_id is not null and time_entries.deleted_at is null
      group by time_entries.task_id) itself on itself.task_id = tasks.id
    full join (
      select subtasks.task_id, ${trackedSeconds(now)} as seconds from time_entries
      join subtasks on subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id and subtasks.deleted_at is null
      where time_entries.org_id = ${orgId} and time_entries.subtask_id is not null and time_entries.deleted_at is null
      group by subtasks.task_id) steps on steps.task_id = tasks.id
    offset 0) tasks
  where tasks.id is not null`
