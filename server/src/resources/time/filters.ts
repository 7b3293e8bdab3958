import type { z } from 'zod'
import { type Caller, withoutMe } from '../../access/caller.ts'
import { ifSeen, inProjects, namesSeen } from '../../access/visibility.ts'
import { flag, Moment, severalIds, theseIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { isDetaching, isLeft } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/cursor-list.ts'
import { apartFromNone, planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of time entries and of reports on them; all that are given must match. */
export const filters = {
  memberId: severalIds(['me'], { description: 'Whose time: a member, or `me`.' }).optional(),
  projectId: severalIds().optional(),
  taskId: severalIds([], {
    description: 'Time on these tasks and on their subtasks. With `subtaskId=none`: on the tasks alone.',
  }).optional(),
  subtaskId: severalIds(['none'], {
    description: 'Time on these subtasks; `none`: time on a task itself.',
  }).optional(),
  tagId: severalIds([], { most: 10, means: 'time that bears all of them' }).optional(),
  anyTagId: severalIds([], { means: 'time that bears any of them' }).optional(),
  billable: flag.optional(),
  running: flag.optional(),
  startedAfter: Moment.optional().meta({ description: 'Started at this moment or after it.' }),
  startedBefore: Moment.optional().meta({ description: 'Started before this moment.' }),
  updatedAfter: Moment.optional().meta({
    description:
      'Changed at this moment or after it, by the clock of the server that did it: who follows changes asks from some minutes before.',
  }),
}

/** The filters of the list alone, too. */
export const listFilters = { id: theseIds.optional(), ...filters }

type Filters = { [name in keyof typeof listFilters]?: z.output<(typeof listFilters)[name]> }

/**
 * Condition: the filters match an entry of the organization, whether the caller sees it or not; none without filters.
 * Several projects are a matter of `visibilityOf`.
 */
export function matching(caller: Caller, wanted: Filters, onTask = onTaskOrSubtask): Sql | undefined {
  const { orgId } = caller
  const { tagId = [], anyTagId = [] } = wanted
  // whether a single label is being detached is asked once; of several, beside each
  const labels = anyTagId.length === 1 ? [...tagId, ...anyTagId] : tagId
  const condition = sql.all(
    wanted.id && isAnyOf(sql`time_entries.id`, wanted.id),
    wanted.memberId && isAnyOf(sql`time_entries.member_id`, withoutMe(caller, wanted.memberId)),
    wanted.projectId && inProjects(sql`time_entries`, wanted.projectId),
    wanted.taskId && ifSeen(caller, sql`tasks`, wanted.taskId, onTask(orgId, wanted.taskId)),
    wanted.subtaskId && namesSeen(caller, sql`time_entries.subtask_id`, sql`subtasks`, wanted.subtaskId),
    ...tagId.map((id) => isTagged(orgId, [id])),
    wanted.anyTagId && isTagged(orgId, anyTagId),
    labels.length > 0 && sql`not ${isDetaching(orgId, labels)}`,
    wanted.billable !== undefined && sql`time_entries.billable = ${wanted.billable}`,
    wanted.running !== undefined &&
      (wanted.running ? sql`time_entries.ended_at is null` : sql`time_entries.ended_at is not null`),
    wanted.startedAfter && sql`time_entries.started_at >= ${wanted.startedAfter}`,
    wanted.startedBefore && sql`time_entries.started_at < ${wanted.startedBefore}`,
    wanted.updatedAfter && sql`time_entries.updated_at >= ${wanted.updatedAfter}`,
  )
  return planForFilters(condition, wanted, listFilters, ['tagId', 'anyTagId', 'updatedAfter'])
}

/** The same for a list, in parts that an index finds each: the time on a task itself, and that on its subtasks. */
export function matchingEither(caller: Caller, wanted: Filters): Pick<CursorList, 'either' | 'sources'> {
  const { taskId } = wanted
  if (taskId === undefined)
    return { either: apartFromNone(wanted, ['subtaskId'])?.map((part) => matching(caller, part)) }
  return {
    either: [matching(caller, wanted, onTaskItself), matching(caller, wanted, onSubtask)],
    sources: [undefined, entriesOnSubtasks(caller.orgId, taskId)],
  }
}

const onTaskItself = (_orgId: string, ids: readonly string[]): Sql => isAnyOf(sql`time_entries.task_id`, ids)

const onSubtask = (orgId: string, ids: readonly string[]): Sql =>
  sql`time_entries.subtask_id = any(array(select subtasks.id from ${subtasksOf(orgId, ids)}))`

const onTaskOrSubtask = (orgId: string, ids: readonly string[]): Sql =>
  sql`(${onTaskItself(orgId, ids)} or ${onSubtask(orgId, ids)})`

const subtasksOf = (orgId: string, taskIds: readonly string[]): Sql =>
  sql`subtasks where subtasks.org_id = ${orgId} and ${isAnyOf(sql`subtasks.task_id`, taskIds)}`

/** All time on the subtasks of these tasks. `offset 0` makes the planner read it by subtask, however much time there is. */
const entriesOnSubtasks = (orgId: string, taskIds: readonly string[]): Sql => sql`(
  select entries.* from (select subtasks.id from ${subtasksOf(orgId, taskIds)}) subtasks
  cross join lateral (
    select * from time_entries where time_entries.org_id = ${orgId} and time_entries.subtask_id = subtasks.id offset 0
  ) entries) time_entries`

/** Condition: the entry bears one of these tags. */
const isTagged = (orgId: string, ids: readonly string[]): Sql =>
  sql`exists (select from time_entry_tags where ${sql.all(
    sql`time_entry_tags.org_id = ${orgId} and time_entry_tags.time_entry_id = time_entries.id`,
    isAnyOf(sql`time_entry_tags.tag_id`, ids),
    ids.length > 1 && isLeft(orgId, sql`time_entry_tags.tag_id`, ids),
  )})`
