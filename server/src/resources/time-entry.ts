import { z } from 'zod'
import { inProject } from '../access/visibility.ts'
import { refused } from '../contract/errors.ts'
import { Id, ids, resource, Timestamp, text } from '../contract/fields.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { joinTo } from '../db/joins.ts'
import { sql } from '../db/sql.ts'
import { table } from '../db/table.ts'
import type { Constraints } from '../operations/route.ts'

/** Time that a member worked on a task or a subtask. */
export const TimeEntry = resource('TimeEntry', 'Time that a member worked on a task or a subtask.', {
  taskId: Id.nullable(),
  subtaskId: Id.nullable().meta({ examples: [null] }),
  projectId: Id.meta({ description: 'The project of the task or subtask.' }),
  memberId: Id,
  startedAt: Timestamp.meta({ examples: ['2026-01-31T08:00:00.000Z'] }),
  endedAt: Timestamp.nullable().meta({ description: 'Null while the time entry is running.' }),
  durationSeconds: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'In whole seconds. Null while the time entry is running.', examples: [5400] }),
  description: text(0, 5_000).nullable(),
  billable: z.boolean(),
  tagIds: ids(50).meta({ description: 'The tags of the time entry. Responses sort them by id.' }),
})
export type TimeEntry = z.output<typeof TimeEntry>

/** The table of time entries. */
export const storedEntries = table('time_entries', TimeEntry, {
  noun: 'time_entry',
  tells: {
    left:
      'A time entry was moved to a task of another project. The snapshot shows it in the project that it left. The ' +
      'next event, `time_entry.updated`, shows it in the new project.',
  },
  refersTo: { taskId: 'tasks', subtaskId: 'subtasks', projectId: 'projects', memberId: 'members' },
  joins: {
    time_entry_tags: { timeEntryId: 'time_entries', tagId: 'tags' },
  },
  foundBy: ['description'],
  shows: { durationSeconds: sql`time_entries.duration_ms / 1000` },
  detachable: { tagIds: sql`time_entries.tag_ids` },
})

/** The rules that the database enforces for every write of time. */
export const timeConstraints: Constraints = {
  time_entries_running: () => refused('Another time entry of this member is running; stop it first', 'already_running'),
  time_entries_overlap: () => refused('The time entry overlaps another time entry of this member', 'time_overlaps'),
}

/**
 * Time in a project that the caller sees. A write first locks the subtask, so that it is not finalized. Then it waits
 * for other writes of the member's time, and locks the entry last.
 */
export const timeEntry = inProject(
  storedEntries,
  ({ orgId }) => sql`
    left join lateral (
      select from subtasks where subtasks.org_id = ${orgId} and subtasks.id = time_entries.subtask_id
        and access.role is not null for share) step on true
    join lateral (
      select from members where members.org_id = ${orgId} and members.id = time_entries.member_id
        and access.role is not null for no key update) turn on true`,
)

/** The task of a time entry, or of its subtask. */
export async function taskOfTime(
  db: Db,
  orgId: string,
  { taskId, subtaskId }: Pick<TimeEntry, 'taskId' | 'subtaskId'>,
): Promise<string> {
  if (taskId !== null) return taskId
  const row = await db.row<{ taskId: string }>(sql`
    select task_id as "taskId" from subtasks where org_id = ${orgId} and id = ${subtaskId}`)
  return expected(row, 'The subtask of time').taskId
}

/** Updates the table that joins an entry to its tags. */
export const referToTags = (db: Db, orgId: string, entryId: string, tagIds: readonly string[]): Promise<void> =>
  joinTo(
    db,
    { table: sql`time_entry_tags`, ones: sql`time_entries`, of: sql`time_entry_id`, to: sql`tag_id` },
    orgId,
    entryId,
    tagIds,
  )
