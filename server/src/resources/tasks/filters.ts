import { z } from 'zod'
import { withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen } from '../../access/visibility.ts'
import { Day, flagOf, idsFilter, Moment, severalIds, severalOf } from '../../contract/fields.ts'
import { isAnyOf, isAnyOfOrNone } from '../../db/any-of.ts'
import { isAnyStillAttached } from '../../db/detachments.ts'
import { firstIdOf } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type FilterValues, filter } from '../../lists/filters.ts'
import { stageCategories } from '../board/stage.ts'
import { priorities } from '../task.ts'
import { priorityRank } from './orders.ts'
import { searchedFor, searchedTasks } from './search.ts'

/** The filters of GET /tasks. */
export const filters = {
  id: filter(idsFilter, (ids) => isAnyOf(sql`tasks.id`, ids)),
  projectId: filter(severalIds([], { description: 'Only tasks of these projects.', means: '' }), (ids) =>
    inProjects(sql`tasks`, ids),
  ),
  workspaceId: filter(
    severalIds(['none'], { description: 'A workspace, or `none` for tasks without a workspace.' }),
    (ids, caller) =>
      // a task on no board has no stage, and the indexes of the orders contain the stage
      ids.every((id) => id === 'none')
        ? sql`tasks.stage_id is null`
        : namesSeen(caller, sql`tasks.workspace_id`, sql`workspaces`, ids),
  ),
  stageId: filter(
    severalIds(['none'], { description: 'A stage, or `none` for tasks without a stage.' }),
    (ids, caller) => namesSeen(caller, sql`tasks.stage_id`, sql`stages`, ids),
  ),
  stageCategory: filter(
    severalOf(z.enum(stageCategories), `one of ${stageCategories.join(', ')}`, {
      ...{ most: 3, description: 'Only tasks in stages with these categories.', means: '' },
    }),
    // read the stages once: a join reads them once for each row (100,000 rows in 87 ms, here 34)
    (categories, { orgId }) => sql`(tasks.stage_id in (
      select stages.id from stages where stages.org_id = ${orgId} and stages.deleted_at is null
        and ${isAnyOf(sql`stages.category`, categories)})) is true`,
  ),
  typeId: filter(
    severalIds(['none'], {
      description:
        'A task type, or `none` for tasks without a type. After a task type with very many tasks is deleted, ' +
        'it can take some minutes until all these tasks match `none`.',
    }),
    (ids, { orgId }) => isAnyStillAttached(orgId, sql`tasks.type_id`, ids),
  ),
  assigneeId: filter(
    severalIds(['me', 'none'], {
      description:
        'A member, `me`, or `none` for tasks without an assignee. After a member with very many tasks is ' +
        'removed, it can take some minutes until all these tasks match `none`.',
    }),
    (ids, caller) => isAssigned(caller.orgId, withoutMe(caller, ids)),
  ),
  createdBy: filter(severalIds(['me'], { description: 'The member who created the task, or `me`.' }), (ids, caller) =>
    isAnyOf(sql`tasks.created_by`, withoutMe(caller, ids)),
  ),
  tagId: filter(severalIds([], { most: 10, means: 'A task matches if it has all of these tags.' }), (ids, { orgId }) =>
    sql.all(...ids.map((id) => isTagged(orgId, [id]))),
  ),
  anyTagId: filter(severalIds([], { means: 'A task matches if it has one of these tags.' }), (ids, { orgId }) =>
    isTagged(orgId, ids),
  ),
  priority: filter(
    severalOf(z.enum(priorities), `one of ${priorities.join(', ')}`, {
      ...{ most: 5, description: 'Only tasks with these priorities.', means: '' },
    }),
    // the index has only the rank
    (wanted) =>
      isAnyOf(
        priorityRank,
        wanted.map((priority) => String(priorities.indexOf(priority))),
      ),
  ),
  completed: filter(flagOf('completed tasks'), (completed) =>
    completed ? sql`tasks.completed_at is not null` : sql`tasks.completed_at is null`,
  ),
  dueDate: filter(
    severalOf(z.union([Day, z.literal('none')]), 'a date such as 2026-01-31 or none', {
      description: 'The due date, or `none` for tasks without one.',
    }),
    (days) => isAnyOfOrNone(sql`tasks.due_date`, days),
  ),
  dueBefore: filter(
    Day.meta({ description: 'Tasks that are due before this day.' }),
    (day) => sql`tasks.due_date < ${day}`,
  ),
  dueAfter: filter(
    Day.meta({ description: 'Tasks that are due on or after this day.' }),
    (day) => sql`tasks.due_date >= ${day}`,
  ),
  // createdAt is the time in the id
  createdBefore: filter(
    Moment.meta({ description: 'Tasks that were created before this date-time.' }),
    (moment) => sql`tasks.id < ${firstIdOf(moment)}`,
  ),
  createdAfter: filter(
    Moment.meta({ description: 'Tasks that were created at or after this date-time.' }),
    (moment) => sql`tasks.id >= ${firstIdOf(moment)}`,
  ),
  updatedAfter: filter(
    Moment.meta({
      description:
        'Tasks that were updated at or after this date-time. The time comes from the server that made the ' +
        'change, and server clocks can differ. To follow changes, send a time a few minutes before your last request. ' +
        'Or read `GET /events`, which misses no change.',
    }),
    (moment) => sql`tasks.updated_at >= ${moment}`,
  ),
  q: filter(searchedTasks, (search, { orgId }) => searchedFor(orgId, search)),
}

const { id, ...ofMany } = filters
/** The filters without `id`, to count tasks. */
export const countedFilters = ofMany

export type TaskCountFilters = FilterValues<typeof countedFilters>

/** Condition: the task is assigned to one of these members, or to nobody if `none` is among them. */
function isAssigned(orgId: string, values: readonly string[]): Sql {
  const toNobody = sql`tasks.assignee_ids = '{}'`
  const ids = values.filter((value) => value !== 'none')
  if (ids.length === 0) return toNobody
  const toOne = sql`exists (select from task_assignees where task_assignees.org_id = ${orgId}
    and task_assignees.task_id = tasks.id and ${isAnyStillAttached(orgId, sql`task_assignees.member_id`, ids)})`
  return ids.length === values.length ? toOne : sql`(${toNobody} or ${toOne})`
}

/** Condition: the task has one of these tags. */
const isTagged = (orgId: string, ids: readonly string[]): Sql =>
  sql`exists (select from task_tags where task_tags.org_id = ${orgId} and task_tags.task_id = tasks.id
    and ${isAnyStillAttached(orgId, sql`task_tags.tag_id`, ids)})`
