import { sql } from '../../../db/sql.ts'
import { type ShownDate, shownDate } from '../../reports/calendar.ts'
import { asText, byDate, eachOf, type Grouping, named, unlessDetaching, withDateOf } from '../../reports/grouping.ts'

const stageOfSums = (orgId: string) => sql`left join stages on stages.org_id = ${orgId} and stages.id = sums.stage_id`

// one object for every grouping by the same moment: its table is joined once
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

/** What tasks can be grouped by. */
export const dimensions = {
  project: { of: [sql`tasks.project_id`], key: () => sql`sums.project_id`, name: named(sql`projects`) },
  workspace: { of: [sql`tasks.workspace_id`], key: () => sql`sums.workspace_id`, name: named(sql`workspaces`) },
  stage: { of: [sql`tasks.stage_id`], key: () => sql`sums.stage_id`, name: named(sql`stages`) },
  stageCategory: { of: [sql`tasks.stage_id`], behind: [stageOfSums], key: () => sql`stages.category`, name: asText },
  assignee: {
    of: [sql`tasks.assignee_ids`],
    behind: [eachOf(sql`assignee_ids`, sql`assignee`)],
    key: () => sql`assignee.id`,
    name: named(sql`members`),
  },
  type: { of: [sql`tasks.type_id`], key: unlessDetaching(sql`type_id`), name: named(sql`task_types`) },
  tag: {
    of: [sql`tasks.tag_ids`],
    behind: [eachOf(sql`tag_ids`, sql`tag`)],
    key: () => sql`tag.id`,
    name: named(sql`tags`),
  },
  priority: { of: [sql`tasks.priority`], key: () => sql`sums.priority`, name: asText },
  createdBy: { of: [sql`tasks.created_by`], key: () => sql`sums.created_by`, name: named(sql`members`) },
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

export type Dimension = keyof typeof dimensions

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): Grouping => dimensions[name]
