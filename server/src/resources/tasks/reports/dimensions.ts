import { type Sql, sql } from '../../../db/sql.ts'
import { type ShownDate, shownDate, stretchOf } from '../../reports/calendar.ts'
import { asText, byDateOf, eachOf, type Grouping, named, unlessDetaching } from '../../reports/grouping.ts'

const stageOfSums = (orgId: string) => sql`left join stages on stages.org_id = ${orgId} and stages.id = sums.stage_id`

interface TaskGrouping extends Grouping {
  /** the moment whose date it shows */
  moment?: Sql
}

// the same of every grouping by one of these moments
const ofCreation = {
  moment: sql`tasks.created_at`,
  of: [sql`created.created_from`],
  beside: [() => stretchOf(sql`tasks.created_at`, sql`created`, sql`created_from`)],
}
const ofCompletion = {
  moment: sql`tasks.completed_at`,
  of: [sql`completed.completed_from`],
  beside: [() => stretchOf(sql`tasks.completed_at`, sql`completed`, sql`completed_from`)],
}

const created = (shown: ShownDate): TaskGrouping => ({ ...ofCreation, ...byDateOf(sql`sums.created_from`, shown) })

const completed = (shown: ShownDate): TaskGrouping => ({
  ...ofCompletion,
  ...byDateOf(sql`sums.completed_from`, shown),
})

// a day that something is due is no moment: no clock changes it
const ofDueDate = [sql`tasks.due_date`]
const due = (shown: ShownDate): Grouping => ({
  of: ofDueDate,
  key: (orgId) => shown(orgId, sql`sums.due_date`),
  name: asText,
})

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
} satisfies Record<string, TaskGrouping>

export type Dimension = keyof typeof dimensions

/** A dimension as the report uses it. */
export const grouping = (name: Dimension): TaskGrouping => dimensions[name]
