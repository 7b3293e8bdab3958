import type { z } from 'zod'
import { type Caller, withoutMe } from '../../access/caller.ts'
import { leadsAll } from '../../access/visibility.ts'
import { idsLeft, isDetaching } from '../../db/detachments.ts'
import { Sql, sql } from '../../db/sql.ts'
import type { IdList, Listed } from '../../lists/cursor-list.ts'
import { inStages, type listFilters, matching } from './filters.ts'

type Filters = { [name in keyof typeof listFilters]?: z.output<(typeof listFilters)[name]> }

/** What these match is not known from a row by itself, or is a range, of which the planner knows where it begins. */
const apart = ['id', 'dueDate', 'dueBefore', 'dueAfter', 'createdBefore', 'createdAfter', 'updatedAfter', 'q'] as const

/**
 * The lists of ids that the filters name: tasks with a tag, of an assignee, of a project. Undefined without a tag and without an
 * assignee, and where a filter has several values that no index holds in one order. One list alone is walked from the position
 * on, which the planner would not do: it does not know that the id of a task is the one that its tags name.
 */
export function listedBy(caller: Caller, wanted: Filters): Listed | undefined {
  const { tagId = [], anyTagId = [] } = wanted
  const labels = [...tagId, ...anyTagId, ...(withoutMe(caller, wanted.assigneeId) ?? [])]
  if (labels.length === 0 || apart.some((name) => wanted[name] !== undefined)) return
  return listsOf(caller, wanted)
}

/** The lists of ids that filters name, and what is asked of a row besides; undefined where one of several values is in no order. */
function listsOf(caller: Caller, wanted: Filters): Listed | undefined {
  const { orgId } = caller
  const { tagId = [], anyTagId = [], projectId = [], workspaceId = [], stageId = [], typeId = [] } = wanted
  const assigneeId = withoutMe(caller, wanted.assigneeId) ?? []
  const several = [assigneeId, projectId, workspaceId, stageId, typeId].some(({ length }) => length > 1)
  if (several || [...tagId, ...anyTagId, ...assigneeId].includes('none')) return
  const others = { ...wanted, tagId: undefined, anyTagId: undefined, assigneeId: undefined, stageCategory: undefined }
  // of several tags of which one is enough, each is asked for by itself
  const asked = [...tagId, ...(anyTagId.length === 1 ? anyTagId : []), ...assigneeId]
  const conditions = sql.all(
    matching(caller, others),
    wanted.stageCategory && inStages(orgId, wanted.stageCategory, false),
    asked.length > 0 && sql`not ${isDetaching(orgId, asked)}`,
  )
  return {
    lists: [
      ...tagId.map((id) => tagged(orgId, [id])),
      ...(anyTagId.length > 0 ? [tagged(orgId, anyTagId)] : []),
      ...assigneeId.map((id) => assigned(orgId, id)),
      ...projectId.map((id) => having(orgId, sql`tasks.project_id = ${id}`)),
      // what stands in a stage of others is not looked at
      ...(leadsAll(caller) ? stageId.filter(isId).map((id) => having(orgId, sql`tasks.stage_id = ${id}`)) : []),
    ],
    rowsIn: (projectId) => sql`(
      select projects.last_task_number from projects where projects.org_id = ${orgId} and projects.id = ${projectId})`,
    // of what is found by an id the values do not decide how
    rest: conditions === sql.empty ? undefined : new Sql(conditions.strings, conditions.values),
  }
}

const isId = (value: string) => value !== 'none'

function tagged(orgId: string, ids: readonly string[]): IdList {
  const id = sql`task_tags.task_id`
  const ofOne = (tagId: string) =>
    sql.all(
      sql`task_tags.org_id = ${orgId} and task_tags.tag_id = ${tagId}`,
      ids.length > 1 && sql`not ${isDetaching(orgId, [tagId])}`,
    )
  const walk: Walk = (which) => {
    const lists = ids.map((tagId) => inOrder(sql`task_tags`, id, ofOne(tagId), which))
    if (lists.length === 1) return sql.join(lists, '')
    const all = lists.map((list) => sql`(${list})`)
    // in the order of all of them a task that bears several comes several times in a row
    return sql`select distinct tagged.id from (${sql.join(all, ' union all ')}) tagged order by tagged.id desc`
  }
  if (ids.length === 1)
    return {
      walk,
      holds: (taskId) => sql`select from task_tags where ${sql.join(ids.map(ofOne), '')} and ${id} = ${taskId}`,
      onRow: sql`tasks.tag_ids @> ${ids}::uuid[]`,
    }
  const left = idsLeft(orgId, ids)
  return {
    ...(ids.length <= mostMerged && { walk }),
    holds: (taskId) => sql`select from task_tags where task_tags.org_id = ${orgId} and task_tags.tag_id = any(${left})
      and ${id} = ${taskId} limit 1`,
    onRow: sql`tasks.tag_ids && ${left}`,
  }
}

/** Of more tags the lists are not merged. */
const mostMerged = 10

function assigned(orgId: string, memberId: string): IdList {
  const isOne = sql`task_assignees.org_id = ${orgId} and task_assignees.member_id = ${memberId}`
  const id = sql`task_assignees.task_id`
  return {
    walk: (which) => inOrder(sql`task_assignees`, id, isOne, which),
    holds: (taskId) => sql`select from task_assignees where ${isOne} and ${id} = ${taskId}`,
    onRow: sql`tasks.assignee_ids @> ${[memberId]}::uuid[]`,
  }
}

/** Tasks with one value of a column, which the row itself tells. */
const having = (orgId: string, condition: Sql): IdList => ({
  walk: (which) => inOrder(sql`tasks`, sql`tasks.id`, sql`tasks.org_id = ${orgId} and ${condition}`, which),
})

type Walk = NonNullable<IdList['walk']>

const inOrder = (table: Sql, id: Sql, condition: Sql, which: Parameters<Walk>[0]): Sql =>
  sql`select ${id} as id from ${table} where ${sql.all(condition, which?.(id))} order by ${id} desc`
