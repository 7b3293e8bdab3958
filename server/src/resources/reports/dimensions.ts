import { type Sql, sql } from '../../db/sql.ts'

interface Grouping {
  /** what an entry is grouped by */
  key: (orgId: string) => Sql
  /** tables that the key needs beside the entry */
  from?: (orgId: string) => Sql
  /** the name that people know a key by */
  name: (orgId: string, key: Sql) => Sql
}

const named = (table: Sql) => (orgId: string, key: Sql) =>
  sql`(select ${table}.name from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${key})`

const itself = (_: string, key: Sql) => sql`${key}::text`

const setting = (orgId: string, column: Sql) => sql`(select ${column} from organizations where org_id = ${orgId})`

/** When an entry began, as the clocks of the organization showed it. */
const local = (orgId: string) => sql`(time_entries.started_at at time zone ${setting(orgId, sql`timezone`)})`

const withSubtask = (orgId: string) => sql`
  left join subtasks on subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id`
const taskId = sql`coalesce(time_entries.task_id, subtasks.task_id)`

/** What time can be grouped by. */
export const dimensions = {
  project: { key: () => sql`time_entries.project_id`, name: named(sql`projects`) },
  member: { key: () => sql`time_entries.member_id`, name: named(sql`members`) },
  task: { key: () => taskId, from: withSubtask, name: named(sql`tasks`) },
  type: {
    key: (orgId) => sql`(select tasks.type_id from tasks where tasks.org_id = ${orgId} and tasks.id = ${taskId})`,
    from: withSubtask,
    name: named(sql`task_types`),
  },
  tag: {
    key: () => sql`time_entry_tags.tag_id`,
    from: (orgId) => sql`
      left join time_entry_tags on time_entry_tags.org_id = ${orgId} and time_entry_tags.time_entry_id = time_entries.id`,
    name: named(sql`tags`),
  },
  billable: {
    key: () => sql`time_entries.billable`,
    name: (_, key) => sql`case when ${key} then 'billable' else 'not billable' end`,
  },
  day: { key: (orgId) => sql`${local(orgId)}::date`, name: itself },
  week: {
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
  month: { key: (orgId) => sql`to_char(${local(orgId)}, 'YYYY-MM')`, name: itself },
} satisfies Record<string, Grouping>

export type Dimension = keyof typeof dimensions

export const isDimension = (name: string): name is Dimension => Object.hasOwn(dimensions, name)

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): Grouping => dimensions[name]
