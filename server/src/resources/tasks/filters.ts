import { z } from 'zod'
import { type Caller, withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen, visibilityOf } from '../../access/visibility.ts'
import { Day, flag, Moment, severalIds, severalOf, theseIds } from '../../contract/fields.ts'
import { isAnyOf, isAnyOfOrNone } from '../../db/any-of.ts'
import { isDetaching, isLeft } from '../../db/detachments.ts'
import { firstIdOf } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/cursor-list.ts'
import { isSorted, type Order } from '../../lists/order.ts'
import { apartFromNone, planForFilters } from '../../lists/plan-for-filters.ts'
import { askedFor } from '../../search/query.ts'
import { priorities } from '../task.ts'
import { priorityRank } from './orders.ts'
import { isByRelevance } from './relevance.ts'
import { asksForNone, newestTasks, searchedFor } from './search.ts'

const categories = ['todo', 'doing', 'done'] as const

/** The filters of tasks, in a list or counted; all that are given must match. */
export const filters = {
  projectId: severalIds().optional(),
  workspaceId: severalIds(['none'], { description: 'Or `none`: on no board.' }).optional(),
  stageId: severalIds(['none'], { description: 'Or `none`: on no board.' }).optional(),
  stageCategory: severalOf(z.enum(categories), `one of ${categories.join(', ')}`, { most: 3 }).optional(),
  typeId: severalIds(['none'], {
    description: 'Or `none`: of no type; those of a type of very many that was just deleted follow within minutes.',
  }).optional(),
  assigneeId: severalIds(['me', 'none'], {
    description:
      'A member, `me`, or `none` for tasks that are assigned to nobody; those of a member of very many who was just removed follow within minutes.',
  }).optional(),
  createdBy: severalIds(['me'], { description: 'The member who made it, or `me`.' }).optional(),
  tagId: severalIds([], { most: 10, means: 'tasks that bear all of them' }).optional(),
  anyTagId: severalIds([], { means: 'tasks that bear any of them' }).optional(),
  priority: severalOf(z.enum(priorities), `one of ${priorities.join(', ')}`, { most: 5 }).optional(),
  completed: flag.optional(),
  dueDate: severalOf(z.union([Day, z.literal('none')]), 'a date such as 2026-01-31 or none', {
    description: 'Due on this day, or `none`: without a due date.',
  }).optional(),
  dueBefore: Day.optional().meta({ description: 'Due before this day.' }),
  dueAfter: Day.optional().meta({ description: 'Due on this day or after it.' }),
  createdBefore: Moment.optional(),
  createdAfter: Moment.optional().meta({ description: 'Created at this moment or after it.' }),
  updatedAfter: Moment.optional().meta({
    description:
      'Changed at this moment or after it, by the clock of the server that did it: who follows changes asks from some minutes before, or reads `/events`, which miss nothing.',
  }),
  q: askedFor.optional().meta({
    description:
      'Words of the name or the description, in any case and accents; "…" for a phrase, - for not, or between up to eight alternatives. Or the key of a task.',
  }),
}

/** The filters of the list alone, too. */
export const listFilters = { id: theseIds.optional(), ...filters }

/** What is wanted of each of them. */
export type Filters = { [name in keyof typeof listFilters]?: z.output<(typeof listFilters)[name]> }

/**
 * Condition: the filters match a task of the organization, whether the caller sees it or not; none without filters.
 * Several projects are a matter of `visibilityOf`.
 */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const { orgId } = caller
  const { typeId = [], tagId = [], anyTagId = [] } = wanted
  // whether a single label is being detached is asked once; of several, beside each
  const createdBy = withoutMe(caller, wanted.createdBy)
  const assigneeId = withoutMe(caller, wanted.assigneeId)
  const labels = [typeId, assigneeId, anyTagId]
    .filter(({ length }) => length === 1)
    .concat(tagId)
    .flat()
  const condition = sql.all(
    wanted.id && isAnyOf(sql`tasks.id`, wanted.id),
    wanted.projectId && inProjects(sql`tasks`, wanted.projectId),
    wanted.workspaceId && namesSeen(caller, sql`tasks.workspace_id`, sql`workspaces`, wanted.workspaceId),
    wanted.stageId && namesSeen(caller, sql`tasks.stage_id`, sql`stages`, wanted.stageId),
    wanted.stageCategory && inStages(orgId, wanted.stageCategory, isFiltered({ ...wanted, stageCategory: undefined })),
    wanted.typeId && isAnyOfOrNone(sql`tasks.type_id`, typeId),
    typeId.length > 1 && isLeft(orgId, sql`tasks.type_id`, idsIn(typeId)),
    wanted.assigneeId && isAssigned(orgId, assigneeId),
    wanted.createdBy && isAnyOf(sql`tasks.created_by`, createdBy),
    ...tagId.map((id) => isTagged(orgId, [id])),
    wanted.anyTagId && isTagged(orgId, anyTagId),
    labels.some(isId) && sql`not ${isDetaching(orgId, idsIn(labels))}`,
    wanted.priority && isAnyOf(priorityRank, wanted.priority.map(rankOf)),
    wanted.completed !== undefined &&
      (wanted.completed ? sql`tasks.completed_at is not null` : sql`tasks.completed_at is null`),
    wanted.dueDate && isAnyOfOrNone(sql`tasks.due_date`, wanted.dueDate),
    wanted.dueBefore && sql`tasks.due_date < ${wanted.dueBefore}`,
    wanted.dueAfter && sql`tasks.due_date >= ${wanted.dueAfter}`,
    // createdAt is the time in the id
    wanted.createdBefore && sql`tasks.id < ${firstIdOf(wanted.createdBefore)}`,
    wanted.createdAfter && sql`tasks.id >= ${firstIdOf(wanted.createdAfter)}`,
    wanted.updatedAfter && sql`tasks.updated_at >= ${wanted.updatedAfter}`,
    wanted.q !== undefined && searchedFor(orgId, wanted.q),
  )
  return planForFilters(condition, wanted, listFilters, ['createdBy', 'dueBefore', 'dueAfter', 'updatedAfter', 'q'])
}

/** What a list of tasks is made of. */
export function conditionsOf(
  caller: Caller,
  wanted: Filters,
  order: Order,
): Pick<CursorList, 'found' | 'where' | 'either' | 'visibility'> {
  const where = matching(caller, wanted)
  const { q, projectId: within, createdBefore } = wanted
  const visibility = visibilityOf(caller, sql`tasks`, within)
  // the order itself finds those that the caller sees
  if (isByRelevance(order)) return { where, visibility: { visible: sql`true` } }
  if (q !== undefined && where !== undefined && !isSorted(order) && !asksForNone(q)) {
    const before = createdBefore && firstIdOf(createdBefore)
    return { where, found: newestTasks({ caller, matching: where, within, before }), visibility }
  }
  const parts = apartFromNone(wanted, ['assigneeId', 'typeId', 'dueDate', 'workspaceId', 'stageId'])
  return { where, either: parts?.map((part) => matching(caller, part)), visibility }
}

/** Whether there are any of the filters. */
export const isFiltered = (wanted: Filters) =>
  Object.keys(listFilters).some((name) => wanted[name as keyof Filters] !== undefined)

// an index has the rank alone
const rankOf = (priority: (typeof priorities)[number]) => String(priorities.indexOf(priority))

const isId = (value: string) => value !== 'none'
const idsIn = (values: readonly string[]) => values.filter(isId)

const toNobody = sql`tasks.assignee_ids = '{}'`

/** Condition: the task is assigned to one of these members, or to nobody, where `none` is among them. */
function isAssigned(orgId: string, values: readonly string[]): Sql {
  const ids = idsIn(values)
  if (ids.length === 0) return toNobody
  const memberId = sql`task_assignees.member_id`
  const toOne = sql`exists (select from task_assignees where ${sql.all(
    sql`task_assignees.org_id = ${orgId} and task_assignees.task_id = tasks.id`,
    isAnyOf(memberId, ids),
    values.length > 1 && isLeft(orgId, memberId, ids),
  )})`
  return ids.length === values.length ? toOne : sql`(${toNobody} or ${toOne})`
}

/** Condition: the task bears one of these tags. */
const isTagged = (orgId: string, ids: readonly string[]): Sql =>
  sql`exists (select from task_tags where ${sql.all(
    sql`task_tags.org_id = ${orgId} and task_tags.task_id = tasks.id`,
    isAnyOf(sql`task_tags.tag_id`, ids),
    ids.length > 1 && isLeft(orgId, sql`task_tags.tag_id`, ids),
  )})`

/**
 * Condition: the task is in a stage of one of the categories. As the only filter it is checked row by row on a walk of the
 * list; otherwise the planner would sort all tasks of all those stages. Beside other filters it is an array, of which the
 * planner can estimate how many rows match.
 */
export function inStages(orgId: string, categories: readonly string[], besideOthers: boolean): Sql {
  const ids = sql`select stages.id from stages
    where stages.org_id = ${orgId} and ${isAnyOf(sql`stages.category`, categories)} and stages.deleted_at is null`
  return besideOthers ? sql`tasks.stage_id = any(array(${ids}))` : sql`(tasks.stage_id in (${ids})) is true`
}
