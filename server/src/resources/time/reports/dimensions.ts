import { type Sql, sql } from '../../../db/sql.ts'
import { type ShownDate, shownDate } from '../../reports/calendar.ts'
import { byDate, eachOf, type Grouping, named, unlessDetaching, withDateOf } from '../../reports/grouping.ts'

const subtaskOf = (entry: Sql) => (orgId: string) =>
  sql`left join subtasks on subtasks.org_id = ${orgId} and subtasks.id = ${entry}.subtask_id`

const taskOf = (entry: Sql) => sql`coalesce(subtasks.task_id, ${entry}.task_id)`

// of tasks that are there and have a type an index knows all that it takes; the time on a deleted one is deleted too
const typedTask = (orgId: string) => sql`
  left join tasks on tasks.org_id = ${orgId} and tasks.id = ${taskOf(sql`time_entries`)}
    and tasks.deleted_at is null and tasks.type_id is not null`

// one object for every grouping by date: its table is joined once
const start = {
  of: [sql`began.began_on`],
  beside: [withDateOf(sql`time_entries.started_at`, sql`began`, sql`began_on`)],
}

const began = (shown: ShownDate): Grouping => ({ ...start, ...byDate(sql`began_on`, shown) })

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
    key: unlessDetaching(sql`type_id`),
    name: named(sql`task_types`),
  },
  tag: {
    of: [sql`time_entries.tag_ids`],
    behind: [eachOf(sql`tag_ids`, sql`tag`)],
    key: () => sql`tag.id`,
    name: named(sql`tags`),
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

export type Dimension = keyof typeof dimensions

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): Grouping => dimensions[name]
