import type { Caller } from '../../../access/caller.ts'
import { leadsAll, visibilityOf } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { matching } from '../../../lists/filters.ts'
import { today } from '../../reports/calendar.ts'
import { groupedBy } from '../../reports/grouping.ts'
import { type GroupRow, mostGroups } from '../../reports/groups.ts'
import { trackedSeconds } from '../../time/reports/sums.ts'
import { type CountedTasks, countedFilters } from '../filters.ts'
import { type Dimension, grouping } from './dimensions.ts'

/** What is counted and summed up. */
export interface Sums {
  open: number
  completed: number
  overdue: number
  estimatedSeconds: number
  trackedSeconds: number
  medianDays: number | null
}

interface Row extends Sums, GroupRow {
  total: Sums
}

type Query = CountedTasks & { groupBy: readonly Dimension[] }

/**
 * The groups from one statement. Tasks are summed up by what they have in common, each with its time; groups are named only
 * then. A median cannot be made of medians: beside the sums stands how long each completed task took. The totals are those
 * of the sums: a task of several tags is in one of them, though in several groups.
 */
export async function summed(db: Db, caller: Caller, query: Query, now: string): Promise<Row[]> {
  const { orgId } = caller
  const matches = await matchingAndSeen(db, caller, query)
  const { common, beside, behind, keyed, keys, shown } = groupedBy(orgId, query.groupBy.map(grouping))
  // who does not lead all may not have the time that is tracked on others' tasks take time
  const all = leadsAll(caller) && matching(countedFilters, caller, query) === undefined && query.projectId === undefined
  const timed = (all ? timedAtOnce : timedOneByOne)(orgId, matches, now)
  return db.rows<Row>(sql`
    with sums as materialized (
      select ${common}, count(*) filter (where tasks.completed_at is null) as open, count(tasks.completed_at) as completed,
        count(*) filter (where tasks.completed_at is null and tasks.due_date < ${today(orgId, now)}) as overdue,
        coalesce(sum(tasks.estimate_seconds), 0) as estimated, sum(tasks.seconds)::bigint as tracked, null::float8 as took
      from (${timed}) tasks ${beside}
      group by ${common}
      union all
      select ${common}, 0, 0, 0, 0, 0, ${daysToCompletion} from tasks ${beside}
      where ${matches} and tasks.completed_at is not null)
    select ${shown}, open, completed, overdue, estimated as "estimatedSeconds", tracked as "trackedSeconds",
      (select ${median} from unnest(groups.took) one (took)) as "medianDays", (
        select json_build_object('open', sum(open), 'completed', sum(completed), 'overdue', sum(overdue),
          'estimatedSeconds', sum(estimated), 'trackedSeconds', sum(tracked), 'medianDays', ${median}) from sums) as total
    from (
      select ${keyed}, sum(sums.open)::int as open, sum(sums.completed)::int as completed,
        sum(sums.overdue)::int as overdue, sum(sums.estimated)::bigint as estimated, sum(sums.tracked)::bigint as tracked,
        array_agg(sums.took) filter (where sums.took is not null) as took
      from sums ${behind} group by ${keys} limit ${mostGroups + 1}) groups`)
}

const daysToCompletion = sql`greatest(extract(epoch from tasks.completed_at - tasks.created_at)::float8 / 86400, 0)`

const median = sql`percentile_cont(0.5) within group (order by took)`

/** Condition: the filters match a task that the caller sees. */
async function matchingAndSeen(db: Db, caller: Caller, query: Query): Promise<Sql> {
  const { visible, projects } = visibilityOf(caller, sql`tasks`, query.projectId)
  // how many a member sees decides the plan, which is made before the statement reads them
  const seen = projects && (await db.rows<{ project_id: string }>(projects)).map((row) => row.project_id)
  return sql.customPlan(
    sql.all(
      sql`tasks.org_id = ${caller.orgId} and tasks.deleted_at is null`,
      matching(countedFilters, caller, query),
      visible,
      seen && sql`tasks.project_id = any(${seen}::uuid[])`,
    ),
  )
}

/**
 * Query: these tasks, each with the time on it and its subtasks as `seconds`, looked up for each in two indexes that hold it. For
 * where few of all tasks match. `offset 0` keeps the planner from reading tasks in the order of an index, to have them in
 * groups: that is from all over the table.
 * @param matches condition: which tasks
 */
const timedOneByOne = (orgId: string, matches: Sql, now: string): Sql => sql`
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
const timedAtOnce = (orgId: string, matches: Sql, now: string): Sql => sql`
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
