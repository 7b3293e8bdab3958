import { withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen, whereAnyVisible } from '../../access/visibility.ts'
import { flagOf, idsFilter, Moment, severalIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { isAnyStillAttached } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { filter } from '../../lists/filters.ts'

/** The filters of GET /time-entries. */
export const filters = {
  id: filter(idsFilter, (ids) => isAnyOf(sql`time_entries.id`, ids)),
  memberId: filter(severalIds(['me'], { description: 'The member who worked, or `me`.' }), (ids, caller) =>
    isAnyOf(sql`time_entries.member_id`, withoutMe(caller, ids)),
  ),
  projectId: filter(severalIds([], { description: 'Only time in these projects.', means: '' }), (ids) =>
    inProjects(sql`time_entries`, ids),
  ),
  taskId: filter(
    severalIds([], {
      description: 'Time on these tasks and on their subtasks. With `subtaskId=none`: only on the tasks themselves.',
    }),
    (ids, caller) => whereAnyVisible(caller, sql`tasks`, ids, isOnTasks(caller.orgId, ids)),
  ),
  subtaskId: filter(
    severalIds(['none'], { description: 'A subtask, or `none` for time on a task itself.' }),
    (ids, caller) => namesSeen(caller, sql`time_entries.subtask_id`, sql`subtasks`, ids),
  ),
  tagId: filter(
    severalIds([], { most: 10, means: 'A time entry matches if it has all of these tags.' }),
    (ids, { orgId }) => sql.all(...ids.map((id) => isTagged(orgId, [id]))),
  ),
  anyTagId: filter(severalIds([], { means: 'A time entry matches if it has one of these tags.' }), (ids, { orgId }) =>
    isTagged(orgId, ids),
  ),
  billable: filter(flagOf('billable time entries'), (billable) => sql`time_entries.billable = ${billable}`),
  running: filter(flagOf('running time entries'), (running) =>
    running ? sql`time_entries.ended_at is null` : sql`time_entries.ended_at is not null`,
  ),
  startedAfter: filter(
    Moment.meta({ description: 'Time entries that started at or after this date-time.' }),
    (moment) => sql`time_entries.started_at >= ${moment}`,
  ),
  startedBefore: filter(
    Moment.meta({ description: 'Time entries that started before this date-time.' }),
    (moment) => sql`time_entries.started_at < ${moment}`,
  ),
  updatedAfter: filter(
    Moment.meta({
      description:
        'Time entries that were updated at or after this date-time. The time comes from the server that made the ' +
        'change, and server clocks can differ. To follow changes, send a time a few minutes before your last request.',
    }),
    (moment) => sql`time_entries.updated_at >= ${moment}`,
  ),
}

const { id, ...ofMany } = filters
/** The filters without `id`, to sum up entries. */
export const summedFilters = ofMany

const isOnTasks = (orgId: string, ids: readonly string[]): Sql =>
  sql`(${isAnyOf(sql`time_entries.task_id`, ids)} or time_entries.subtask_id = any(array(
    select subtasks.id from subtasks where subtasks.org_id = ${orgId} and ${isAnyOf(sql`subtasks.task_id`, ids)})))`

/** Condition: the entry has one of these tags. */
const isTagged = (orgId: string, ids: readonly string[]): Sql =>
  sql`exists (select from time_entry_tags where time_entry_tags.org_id = ${orgId}
    and time_entry_tags.time_entry_id = time_entries.id and ${isAnyStillAttached(orgId, sql`time_entry_tags.tag_id`, ids)})`
