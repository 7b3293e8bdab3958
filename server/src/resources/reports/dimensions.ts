import { type Sql, sql } from '../../db/sql.ts'
import { local, setting, stretchOfEntry } from './calendar.ts'

interface Grouping {
  /** what entries of a group have in common, under the name that the key calls it by */
  of: Sql
  /** tables beside the entry that it takes */
  beside?: readonly ((orgId: string) => Sql)[]
  /** the group, of `entries` summed up by what they have in common */
  key: (orgId: string) => Sql
  /** the name that people know a key by */
  name: (orgId: string, key: Sql) => Sql
}

const named = (table: Sql) => (orgId: string, key: Sql) =>
  sql`(select ${table}.name from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${key})`

const itself = (_: string, key: Sql) => sql`${key}::text`

const subtask = (orgId: string) => sql`
  left join subtasks on subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id`

const taskId = sql`coalesce(subtasks.task_id, time_entries.task_id)`

const task = (orgId: string) => sql`left join tasks on tasks.org_id = ${orgId} and tasks.id = ${taskId}`

const labels = (orgId: string) => sql`
  left join time_entry_tags labels on labels.org_id = ${orgId} and labels.time_entry_id = time_entries.id`

const began = { of: sql`stretch.starts`, beside: [stretchOfEntry] }

const date = (orgId: string) => sql`${local(orgId, sql`entries.starts`)}::date`

/** What time can be grouped by. */
export const dimensions = {
  project: { of: sql`time_entries.project_id`, key: () => sql`entries.project_id`, name: named(sql`projects`) },
  member: { of: sql`time_entries.member_id`, key: () => sql`entries.member_id`, name: named(sql`members`) },
  task: {
    of: sql`${taskId} as task_id`,
    beside: [subtask],
    key: () => sql`entries.task_id`,
    name: named(sql`tasks`),
  },
  type: {
    of: sql`tasks.type_id`,
    beside: [subtask, task],
    key: () => sql`entries.type_id`,
    name: named(sql`task_types`),
  },
  tag: { of: sql`labels.tag_id`, beside: [labels], key: () => sql`entries.tag_id`, name: named(sql`tags`) },
  billable: {
    of: sql`time_entries.billable`,
    key: () => sql`entries.billable`,
    name: (_, key) => sql`case when ${key} then 'billable' else 'not billable' end`,
  },
  day: { ...began, key: date, name: itself },
  week: {
    ...began,
    key: (orgId) => {
      // PostgreSQL's weeks begin on Monday
      const early = setting(
        orgId,
        sql`case week_start when 'sunday' then interval '1 day' when 'saturday' then interval '2 days' else interval '0' end`,
      )
      return sql`(date_trunc('week', ${date(orgId)} + ${early}) - ${early})::date`
    },
    name: itself,
  },
  month: { ...began, key: (orgId) => sql`to_char(${date(orgId)}, 'YYYY-MM')`, name: itself },
} satisfies Record<string, Grouping>

export type Dimension = keyof typeof dimensions

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): Grouping => dimensions[name]
