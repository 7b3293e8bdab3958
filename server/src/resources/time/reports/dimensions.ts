import { detachingIds } from '../../../db/detachments.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { local, organizationSetting, stretchOfEntry } from '../../reports/calendar.ts'

interface Grouping {
  /** what entries of a group have in common, columns all */
  of: readonly Sql[]
  /** tables beside the entry that it takes */
  beside?: readonly ((orgId: string) => Sql)[]
  /** tables beside the `sums` by what entries have in common */
  behind?: readonly ((orgId: string) => Sql)[]
  /** the group, of the `sums` */
  key: (orgId: string) => Sql
  /** what it shows of a moment */
  shows?: (orgId: string, moment: Sql) => Sql
  /** the name that people know a key by */
  name: (orgId: string, key: Sql) => Sql
}

const named = (table: Sql) => (orgId: string, key: Sql) =>
  sql`(select ${table}.name from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${key})`

const asText = (_: string, key: Sql) => sql`${key}::text`

const subtaskOf = (entry: Sql) => (orgId: string) =>
  sql`left join subtasks on subtasks.org_id = ${orgId} and subtasks.id = ${entry}.subtask_id`

const taskOf = (entry: Sql) => sql`coalesce(subtasks.task_id, ${entry}.task_id)`

// of tasks that are there and have a type an index knows all that it takes; the time on a deleted one is deleted too
const typedTask = (orgId: string) => sql`
  left join tasks on tasks.org_id = ${orgId} and tasks.id = ${taskOf(sql`time_entries`)}
    and tasks.deleted_at is null and tasks.type_id is not null`

const label = (orgId: string) => sql`left join unnest(sums.tag_ids) label (tag_id)
  on (label.tag_id = any(${detachingIds(orgId)})) is not true`

// the same of every grouping by time
const stretch = { of: [sql`stretch.starts`], beside: [() => stretchOfEntry] }

const began = (shows: (orgId: string, moment: Sql) => Sql): Grouping => ({
  ...stretch,
  key: (orgId) => shows(orgId, sql`sums.starts`),
  shows,
  name: asText,
})

const date = (orgId: string, moment: Sql) => sql`${local(orgId, moment)}::date`

/** What time can be grouped by. */
export const dimensions = {
  project: { of: [sql`time_entries.project_id`], key: () => sql`sums.project_id`, name: named(sql`projects`) },
  member: { of: [sql`time_entries.member_id`], key: () => sql`sums.member_id`, name: named(sql`members`) },
  task: {
    of: [sql`time_entries.task_id`, sql`time_entries.subtask_id`],
    behind: [subtaskOf(sql`sums`)],
    key: () => taskOf(sql`sums`),
    name: named(sql`tasks`),
  },
  type: {
    of: [sql`tasks.type_id`],
    beside: [subtaskOf(sql`time_entries`), typedTask],
    key: (orgId) => sql`case when sums.type_id = any(${detachingIds(orgId)}) then null else sums.type_id end`,
    name: named(sql`task_types`),
  },
  tag: { of: [sql`time_entries.tag_ids`], behind: [label], key: () => sql`label.tag_id`, name: named(sql`tags`) },
  billable: {
    of: [sql`time_entries.billable`],
    key: () => sql`sums.billable`,
    name: (_, key) => sql`case when ${key} then 'billable' else 'not billable' end`,
  },
  day: began(date),
  week: began((orgId, moment) => {
    // PostgreSQL's weeks begin on Monday
    const early = organizationSetting(
      orgId,
      sql`case week_start when 'sunday' then interval '1 day' when 'saturday' then interval '2 days' else interval '0' end`,
    )
    return sql`(date_trunc('week', ${date(orgId, moment)} + ${early}) - ${early})::date`
  }),
  month: began((orgId, moment) => sql`to_char(${date(orgId, moment)}, 'YYYY-MM')`),
} satisfies Record<string, Grouping>

export type Dimension = keyof typeof dimensions

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): Grouping => dimensions[name]
