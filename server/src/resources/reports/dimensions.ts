import { type Sql, sql } from '../../db/sql.ts'

interface Grouping {
  /** columns of an entry that tell its group: entries that have them in common are summed up first */
  of: readonly Sql[]
  /** the group, of `entries` summed up by those columns */
  key: (orgId: string) => Sql
  /** tables that the key needs beside them */
  from?: (orgId: string) => Sql
  /** the name that people know a key by */
  name: (orgId: string, key: Sql) => Sql
}

const named = (table: Sql) => (orgId: string, key: Sql) =>
  sql`(select ${table}.name from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${key})`

const itself = (_: string, key: Sql) => sql`${key}::text`

const setting = (orgId: string, column: Sql) => sql`(select ${column} from organizations where org_id = ${orgId})`

const withTask = (orgId: string) => sql`
  left join subtasks on subtasks.org_id = ${orgId} and subtasks.id = entries.recorded_on
  left join tasks on tasks.org_id = ${orgId} and tasks.id = coalesce(subtasks.task_id, entries.recorded_on)`

/**
 * Beside an entry: what it was recorded on, and when it began, to the quarter of an hour. To change the time zone of each
 * entry is slow, and since 2012 no clock in the world has come to another day within a quarter of an hour.
 */
export const beside = sql`cross join lateral (select
  coalesce(time_entries.task_id, time_entries.subtask_id) as recorded_on,
  case when time_entries.started_at < '2012-01-01Z' then time_entries.started_at
    else date_bin('15 minutes', time_entries.started_at, '2012-01-01Z') end as quarter) beside`

/** When entries began, as the clocks of the organization showed it. */
const local = (orgId: string) => sql`(entries.quarter at time zone ${setting(orgId, sql`timezone`)})`

/** What time can be grouped by. */
export const dimensions = {
  project: {
    of: [sql`project_id`],
    key: () => sql`entries.project_id`,
    name: named(sql`projects`),
  },
  member: {
    of: [sql`member_id`],
    key: () => sql`entries.member_id`,
    name: named(sql`members`),
  },
  task: { of: [sql`recorded_on`], key: () => sql`tasks.id`, from: withTask, name: named(sql`tasks`) },
  type: { of: [sql`recorded_on`], key: () => sql`tasks.type_id`, from: withTask, name: named(sql`task_types`) },
  tag: { of: [sql`tag_id`], key: () => sql`entries.tag_id`, name: named(sql`tags`) },
  billable: {
    of: [sql`billable`],
    key: () => sql`entries.billable`,
    name: (_, key) => sql`case when ${key} then 'billable' else 'not billable' end`,
  },
  day: { of: [sql`quarter`], key: (orgId) => sql`${local(orgId)}::date`, name: itself },
  week: {
    of: [sql`quarter`],
    key: (orgId) => {
      // PostgreSQL's weeks begin on Monday
      const early = sql`${setting(
        orgId,
        sql`case week_start when 'sunday' then interval '1 day' when 'saturday' then interval '2 days' else interval '0' end`,
      )}`
      return sql`(date_trunc('week', ${local(orgId)} + ${early}) - ${early})::date`
    },
    name: itself,
  },
  month: { of: [sql`quarter`], key: (orgId) => sql`to_char(${local(orgId)}, 'YYYY-MM')`, name: itself },
} satisfies Record<string, Grouping>

export type Dimension = keyof typeof dimensions

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): Grouping => dimensions[name]
