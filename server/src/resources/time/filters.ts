import type { z } from 'zod'
import { type Caller, withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen } from '../../access/visibility.ts'
import { flag, Moment, severalIds, theseIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { isDetaching, isLeft } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of time entries and of reports on them; all that are given must match. */
export const filters = {
  memberId: severalIds(['me'], { description: 'Whose time: a member, or `me`.' }).optional(),
  projectId: severalIds().optional(),
  taskId: severalIds().optional(),
  subtaskId: severalIds().optional(),
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
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const { orgId } = caller
  const { tagId = [], anyTagId = [] } = wanted
  // whether a single label is being detached is asked once; of several, beside each
  const labels = anyTagId.length === 1 ? [...tagId, ...anyTagId] : tagId
  const condition = sql.all(
    wanted.id && isAnyOf(sql`time_entries.id`, wanted.id),
    wanted.memberId && isAnyOf(sql`time_entries.member_id`, withoutMe(caller, wanted.memberId)),
    wanted.projectId && inProjects(sql`time_entries`, wanted.projectId),
    wanted.taskId && namesSeen(caller, sql`time_entries.task_id`, sql`tasks`, wanted.taskId),
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

/** Condition: the entry bears one of these tags. */
const isTagged = (orgId: string, ids: readonly string[]): Sql =>
  sql`exists (select from time_entry_tags where ${sql.all(
    sql`time_entry_tags.org_id = ${orgId} and time_entry_tags.time_entry_id = time_entries.id`,
    isAnyOf(sql`time_entry_tags.tag_id`, ids),
    ids.length > 1 && isLeft(orgId, sql`time_entry_tags.tag_id`, ids),
  )})`
