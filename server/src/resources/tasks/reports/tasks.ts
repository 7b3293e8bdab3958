import { z } from 'zod'
import { type Caller, everyone } from '../../../access/caller.ts'
import { leadsAll, visibilityOf } from '../../../access/visibility.ts'
import { words } from '../../../contract/fields.ts'
import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { matching, parametersOf } from '../../../lists/filters.ts'
import { route } from '../../../operations/route.ts'
import { type ShownDate, shownDate, today } from '../../reports/calendar.ts'
import { toCsv } from '../../reports/csv.ts'
import {
  asText,
  byDate,
  type Grouping,
  groupedBy,
  joinEachId,
  nameFrom,
  unlessDetaching,
  withDateOf,
} from '../../reports/grouping.ts'
import { type GroupRow, groupsOf, mostGroups, reportOf } from '../../reports/groups.ts'
import { trackedSeconds } from '../../time/reports/sums.ts'
import { countedFilters, type TaskCountFilters } from '../filters.ts'

const stageOfSums = (orgId: string) => sql`left join stages on stages.org_id = ${orgId} and stages.id = sums.stage_id`

// one object for every grouping by the same date-time, so that its table is joined once
const creation = {
  of: [sql`created.created_on`],
  beside: [withDateOf(sql`tasks.created_at`, sql`created`, sql`created_on`)],
}
const completion = {
  of: [sql`completed.completed_on`],
  beside: [withDateOf(sql`tasks.completed_at`, sql`completed`, sql`completed_on`)],
}

const created = (shown: ShownDate): Grouping => ({ ...creation, ...byDate(sql`created_on`, shown) })
const completed = (shown: ShownDate): Grouping => ({ ...completion, ...byDate(sql`completed_on`, shown) })
const due = (shown: ShownDate): Grouping => ({ of: [sql`tasks.due_date`], ...byDate(sql`due_date`, shown) })

const dimensions = {
  project: { of: [sql`tasks.project_id`], key: () => sql`sums.project_id`, name: nameFrom(sql`projects`) },
  workspace: { of: [sql`tasks.workspace_id`], key: () => sql`sums.workspace_id`, name: nameFrom(sql`workspaces`) },
  stage: { of: [sql`tasks.stage_id`], key: () => sql`sums.stage_id`, name: nameFrom(sql`stages`) },
  stageCategory: { of: [sql`tasks.stage_id`], behind: [stageOfSums], key: () => sql`stages.category`, name: asText },
  assignee: {
    of: [sql`tasks.assignee_ids`],
    behind: [joinEachId(sql`assignee_ids`, sql`assignee`)],
    key: () => sql`assignee.id`,
    name: nameFrom(sql`members`),
  },
  type: { of: [sql`tasks.type_id`], key: unlessDetaching(sql`type_id`), name: nameFrom(sql`task_types`) },
  tag: {
    of: [sql`tasks.tag_ids`],
    behind: [joinEachId(sql`tag_ids`, sql`tag`)],
    key: () => sql`tag.id`,
    name: nameFrom(sql`tags`),
  },
  priority: { of: [sql`tasks.priority`], key: () => sql`sums.priority`, name: asText },
  createdBy: { of: [sql`tasks.created_by`], key: () => sql`sums.created_by`, name: nameFrom(sql`members`) },
  createdDay: created(shownDate.day),
  createdWeek: created(shownDate.week),
  createdMonth: created(shownDate.month),
  completedDay: completed(shownDate.day),
  completedWeek: completed(shownDate.week),
  completedMonth: completed(shownDate.month),
  dueDay: due(shownDate.day),
  dueWeek: due(shownDate.week),
  dueMonth: due(shownDate.month),
} satisfies Record<string, Grouping>

type Dimension = keyof typeof dimensions

const grouping = (name: Dimension): Grouping => dimensions[name]

const count = z.int().min(0).max(2_147_483_647)
const seconds = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

const fields = {
  open: count.meta({ description: 'Tasks that are not completed.' }),
  completed: count,
  overdue: count.meta({
    description: 'Open tasks whose due date is before today, in the time zone of the organization.',
  }),
  estimatedSeconds: seconds.meta({ description: 'The sum of all estimates.' }),
  trackedSeconds: seconds.meta({
    description: 'The time on the tasks and their subtasks. Running time entries count up to now.',
  }),
  medianDaysToCompletion: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .meta({
      description:
        'The median time from creation to completion of completed tasks, in days of 24 hours with three ' +
        'decimals. Null if no task is completed.',
      examples: [2.375],
    }),
}

const names = Object.keys(dimensions) as [Dimension, ...Dimension[]]

const TaskReport = reportOf(names, fields, {
  id: 'TaskReport',
  description: 'The number of tasks and their time, by group.',
  group: { stageCategory: { id: 'doing', name: 'doing' } },
  totals: 'Counts each task once, even if it is in several groups by tag or assignee.',
})
type TaskReport = z.output<typeof TaskReport>

const groupBy = words(names, 3).meta({ examples: ['project,stageCategory'] })

export const taskReports = [
  route('GET /reports/tasks', {
    name: 'reports.tasks',
    summary: 'Get a report on tasks',
    description:
      'Counts tasks in groups by up to three dimensions. Days, weeks and months use the time zone of the organization. ' +
      'Send `Accept: text/csv` to get CSV instead of JSON.',
    roles: everyone,
    query: z.strictObject({ groupBy, ...parametersOf(countedFilters) }),
    returns: TaskReport,
    csv: (report: TaskReport) => toCsv(report, Object.keys(fields)),
    async handle({ db, caller, query, now }) {
      const rows = await summed(db, caller, query, now)
      return {
        groupBy: query.groupBy,
        data: groupsOf(rows, query.groupBy, shown),
        totals: shown(rows[0]?.total ?? nothing),
      }
    },
  }),
]

const nothing: Sums = { open: 0, completed: 0, overdue: 0, estimatedSeconds: 0, trackedSeconds: 0, medianDays: null }

const shown = ({ open, completed, overdue, estimatedSeconds, trackedSeconds, medianDays }: Sums) => ({
  ...{ open, completed, overdue, estimatedSeconds, trackedSeconds },
  medianDaysToCompletion: medianDays === null ? null : Math.round(medianDays * 1_000) / 1_000,
})

interface Sums {
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

type Query = TaskCountFilters & { groupBy: readonly Dimension[] }

/**
 * Reads the groups in one statement. It sums up tasks by their common columns, each with its time, and names the groups
 * only then. Medians cannot be combined, so the `sums` also keep the duration of each completed task. The totals come
 * from the `sums`: a task with several tags counts once there, though it is in several groups.
 */
async function summed(db: Db, caller: Caller, query: Query, now: string): Promise<Row[]> {
  const { orgId } = caller
  const matches = await matchingAndSeen(db, caller, query)
  const { common, beside, behind, keyed, keys, shown } = groupedBy(orgId, query.groupBy.map(grouping))
  // for other callers, the statement must not spend time on tasks that they do not see
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
  // the number of projects decides the plan, and PostgreSQL plans before the statement can read them
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
 * Query: these tasks, each with the time on it and its subtasks as `seconds`, from two covering indexes. For reports
 * that match few of all tasks. `offset 0` keeps the planner from reading tasks all over the table, in the order of an
 * index.
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
 * The same for reports that match nearly all tasks: this sums up all time of the organization by task, in the order of
 * these indexes. A full join is never a nested loop, however few rows the planner expects. The outer condition drops
 * tasks that do not match, and `offset 0` keeps the join full.
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
