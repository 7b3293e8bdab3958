import { z } from 'zod'
import { type Caller, everyone } from '../../../access/caller.ts'
import { visibilityOf } from '../../../access/visibility.ts'
import { words } from '../../../contract/fields.ts'
import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { matching, parametersOf } from '../../../lists/filters.ts'
import { route } from '../../../operations/route.ts'
import { type ShownDate, shownDate } from '../../reports/calendar.ts'
import { toCsv } from '../../reports/csv.ts'
import {
  byDate,
  type Grouping,
  groupedBy,
  joinEachId,
  nameFrom,
  unlessDetaching,
  withDateOf,
} from '../../reports/grouping.ts'
import { type GroupRow, groupsOf, mostGroups, reportOf } from '../../reports/groups.ts'
import { summedFilters } from '../filters.ts'
import { sums } from './sums.ts'

const subtaskOf = (entry: Sql) => (orgId: string) =>
  sql`left join subtasks on subtasks.org_id = ${orgId} and subtasks.id = ${entry}.subtask_id`

const taskOf = (entry: Sql) => sql`coalesce(subtasks.task_id, ${entry}.task_id)`

// an index covers the tasks that are not deleted and have a type; time on a deleted task is deleted too
const typedTask = (orgId: string) => sql`
  left join tasks on tasks.org_id = ${orgId} and tasks.id = ${taskOf(sql`time_entries`)}
    and tasks.deleted_at is null and tasks.type_id is not null`

// one object for every grouping by date, so that its table is joined once
const start = {
  of: [sql`began.began_on`],
  beside: [withDateOf(sql`time_entries.started_at`, sql`began`, sql`began_on`)],
}

const began = (shown: ShownDate): Grouping => ({ ...start, ...byDate(sql`began_on`, shown) })

const dimensions = {
  project: { of: [sql`time_entries.project_id`], key: () => sql`sums.project_id`, name: nameFrom(sql`projects`) },
  member: { of: [sql`time_entries.member_id`], key: () => sql`sums.member_id`, name: nameFrom(sql`members`) },
  task: {
    of: [sql`time_entries.task_id`, sql`time_entries.subtask_id`],
    behind: [subtaskOf(sql`sums`)],
    key: () => taskOf(sql`sums`),
    name: nameFrom(sql`tasks`),
  },
  type: {
    of: [sql`tasks.type_id`],
    beside: [subtaskOf(sql`time_entries`), typedTask],
    key: unlessDetaching(sql`type_id`),
    name: nameFrom(sql`task_types`),
  },
  tag: {
    of: [sql`time_entries.tag_ids`],
    behind: [joinEachId(sql`tag_ids`, sql`tag`)],
    key: () => sql`tag.id`,
    name: nameFrom(sql`tags`),
  },
  billable: {
    of: [sql`time_entries.billable`],
    key: () => sql`sums.billable`,
    name: (_, key) => sql`case when ${key} then 'billable' else 'not billable' end`,
  },
  day: began(shownDate.day),
  week: began(shownDate.week),
  month: began(shownDate.month),
} satisfies Record<string, Grouping>

type Dimension = keyof typeof dimensions

const grouping = (name: Dimension): Grouping => dimensions[name]

const Sums = {
  seconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Running time entries count up to now.' }),
  billableSeconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  entries: z.int().min(0).max(2_147_483_647),
}

const names = Object.keys(dimensions) as [Dimension, ...Dimension[]]

const TimeReport = reportOf(names, Sums, {
  id: 'TimeReport',
  description: 'The sum of time, by group.',
  group: { month: { id: '2026-01', name: '2026-01' } },
  totals: 'Counts each time entry once, even if it is in several groups by tag.',
})
type TimeReport = z.output<typeof TimeReport>

const groupBy = words(names, 3).meta({ examples: ['project,month'] })
const Query = z.strictObject({ groupBy, ...parametersOf(summedFilters) })
type Query = z.output<typeof Query>

export const timeReports = [
  route('GET /reports/time', {
    name: 'reports.time',
    summary: 'Get a report on time',
    description:
      'Adds up time in groups by up to three dimensions. Days, weeks and months use the time zone of the organization. ' +
      'A time entry counts in the day, week or month in which it started. Send `Accept: text/csv` to get CSV instead of JSON.',
    roles: everyone,
    query: Query,
    returns: TimeReport,
    csv: (report: TimeReport) => toCsv(report, Object.keys(Sums)),
    async handle({ db, caller, query, now }) {
      const there = sql`time_entries.org_id = ${caller.orgId} and time_entries.deleted_at is null`
      const { visible } = visibilityOf(caller, sql`time_entries`, query.projectId)
      const matches = sql.all(there, matching(summedFilters, caller, query), visible)
      const rows = await summed(db, caller, query, sql.customPlan(matches), now)
      return {
        groupBy: query.groupBy,
        data: groupsOf(rows, query.groupBy, timeOf),
        totals: timeOf(rows[0]?.total ?? nothing),
      }
    },
  }),
]

interface Time {
  seconds: number
  billableSeconds: number
  entries: number
}

interface Row extends Time, GroupRow {
  total: Time
}

const nothing: Time = { seconds: 0, billableSeconds: 0, entries: 0 }

/**
 * Reads the groups in one statement. It sums up entries by their common columns, and names the groups only then. The
 * sums are materialized: otherwise, the limit on groups makes the planner look for the first group at any price. The
 * total comes from the sums: an entry with several tags counts once there, though it is in several groups.
 */
function summed(db: Db, { orgId }: Caller, query: Query, matches: Sql, now: string): Promise<Row[]> {
  const { common, beside, behind, keyed, keys, shown } = groupedBy(orgId, query.groupBy.map(grouping))
  return db.rows<Row>(sql`
    with sums as materialized (
      select ${common}, ${sums(now)} from time_entries ${beside} where ${matches} group by ${common})
    select ${shown}, seconds, billable_seconds as "billableSeconds", entries, (
        select json_build_object('seconds', sum(seconds), 'billableSeconds', sum(billable_seconds), 'entries', sum(entries)) from sums
      ) as total
    from (
      select ${keyed}, sum(sums.seconds)::bigint as seconds, sum(sums.billable_seconds)::bigint as billable_seconds,
        sum(sums.entries)::int as entries
      from sums ${behind} group by ${keys} limit ${mostGroups + 1}) groups`)
}

const timeOf = ({ seconds, billableSeconds, entries }: Time): Time => ({ seconds, billableSeconds, entries })
