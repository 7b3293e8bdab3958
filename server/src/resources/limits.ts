import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/** The maximum number of rows that a parent may hold: when the parent is deleted, one request handles all of them. */
interface Limit {
  /** the maximum; a parent may hold more from before the limit was introduced */
  most: number
  /** the message of the refusal */
  sentence: string
  /** a table and a condition: the rows of the parent with an id */
  held: (orgId: string, id: string) => Sql
}

const below =
  (table: Sql, parent: Sql): Limit['held'] =>
  (orgId, id) =>
    sql`${table} where ${table}.org_id = ${orgId} and ${table}.${parent} = ${id} and ${table}.deleted_at is null`

const timeOn: Limit['held'] = (orgId, id) => sql`(
  select time_entries.id from time_entries
  where time_entries.org_id = ${orgId} and time_entries.task_id = ${id} and time_entries.deleted_at is null
  union all
  select time_entries.id from subtasks
  join time_entries on time_entries.org_id = ${orgId} and time_entries.subtask_id = subtasks.id
  where subtasks.org_id = ${orgId} and subtasks.task_id = ${id} and time_entries.deleted_at is null) held`

/** All limits. */
export const limits = {
  subtasksOfTask: {
    most: 1_000,
    sentence: 'A task can have at most 1000 subtasks; use another task for more',
    held: below(sql`subtasks`, sql`task_id`),
  },
  commentsOnTask: {
    most: 10_000,
    sentence: 'A task can have at most 10000 comments',
    held: below(sql`comments`, sql`task_id`),
  },
  timeOnTask: {
    most: 10_000,
    sentence:
      'A task can have at most 10000 time entries, including those on its subtasks; record more on another task',
    held: timeOn,
  },
  stagesOfWorkspace: {
    most: 100,
    sentence: 'A workspace can have at most 100 stages',
    held: below(sql`stages`, sql`workspace_id`),
  },
  webhooksOfOrganization: {
    most: 100,
    sentence: 'An organization can have at most 100 webhooks; delete one first',
    held: (orgId) => sql`webhooks where webhooks.org_id = ${orgId} and webhooks.deleted_at is null`,
  },
} satisfies Record<string, Limit>

/**
 * Enforces a limit. If the caller has not locked the parent, concurrent requests may exceed the limit by a few.
 * @param entering how many rows are about to be added
 * @throws 412 when they would exceed the limit
 */
export async function refuseIfOverLimit(
  db: Db,
  { most, sentence, held }: Limit,
  { orgId, id }: { orgId: string; id: string },
  entering = 1,
): Promise<void> {
  const beyond = await db.row(sql`select from ${held(orgId, id)} offset ${most - entering} limit 1`)
  if (beyond) throw refused(sentence, 'no_room')
}
