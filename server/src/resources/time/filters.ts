import type { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { flag, Id, Moment } from '../../contract/fields.ts'
import { isDetaching } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of time entries and of reports on them; all that are given must match. */
export const filters = {
  memberId: Id.optional(),
  projectId: Id.optional(),
  taskId: Id.optional(),
  subtaskId: Id.optional(),
  tagId: Id.optional(),
  billable: flag.optional(),
  running: flag.optional(),
  startedAfter: Moment.optional().meta({ description: 'Started at this moment or after it.' }),
  startedBefore: Moment.optional().meta({ description: 'Started before this moment.' }),
  updatedAfter: Moment.optional().meta({
    description:
      'Changed at this moment or after it, by the clock of the server that did it: who follows changes asks from some minutes before.',
  }),
}

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> }

/** Condition: the filters match an entry of the organization, whether the caller sees it or not; none without filters. */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const condition = sql.all(
    wanted.memberId && sql`time_entries.member_id = ${wanted.memberId}`,
    wanted.projectId && sql`time_entries.project_id = ${wanted.projectId}`,
    wanted.taskId && sql`time_entries.task_id = ${wanted.taskId}`,
    wanted.subtaskId && sql`time_entries.subtask_id = ${wanted.subtaskId}`,
    wanted.tagId &&
      sql`exists (select from time_entry_tags where time_entry_tags.org_id = ${caller.orgId}
        and time_entry_tags.time_entry_id = time_entries.id and time_entry_tags.tag_id = ${wanted.tagId})
        and not ${isDetaching(caller.orgId, [wanted.tagId])}`,
    wanted.billable !== undefined && sql`time_entries.billable = ${wanted.billable}`,
    wanted.running !== undefined &&
      (wanted.running ? sql`time_entries.ended_at is null` : sql`time_entries.ended_at is not null`),
    wanted.startedAfter && sql`time_entries.started_at >= ${wanted.startedAfter}`,
    wanted.startedBefore && sql`time_entries.started_at < ${wanted.startedBefore}`,
    wanted.updatedAfter && sql`time_entries.updated_at >= ${wanted.updatedAfter}`,
  )
  return planForFilters(condition, wanted, filters, ['tagId', 'updatedAfter'])
}
