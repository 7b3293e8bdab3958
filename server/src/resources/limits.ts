import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/** How many of one thing another may hold, as all of them are handled at once when it is deleted. */
interface Limit {
  /** how many at most; there may be more from before the limit was introduced */
  most: number
  /** the message of the refusal */
  sentence: string
  /** a table and the condition that selects what the holder with an id holds */
  held: (orgId: string, id: string) => Sql
  /** the same with what is deleted: a quicker check that needs only an index, and is enough when it is below the limit */
  everHeld?: (orgId: string, id: string) => Sql
}

const mostSubtasks = 1_000
const mostSubtasksEver = 10 * mostSubtasks
const mostComments = 10_000
const mostTime = 10_000
const mostStages = 100
const mostWebhooks = 100

const below =
  (table: Sql, parent: Sql): Limit['held'] =>
  (orgId, id) =>
    sql`${table} where ${table}.org_id = ${orgId} and ${table}.${parent} = ${id} and ${table}.deleted_at is null`

const timeOn =
  (there: Sql): Limit['held'] =>
  (orgId, id) =>
    sql`(
    select time_entries.id from time_entries
    where time_entries.org_id = ${orgId} and time_entries.task_id = ${id} and ${there}
    union all
    select time_entries.id from subtasks
    join time_entries on time_entries.org_id = ${orgId} and time_entries.subtask_id = subtasks.id
    where subtasks.org_id = ${orgId} and subtasks.task_id = ${id} and ${there}) held`

/** All limits. */
export const limits = {
  subtasksOfTask: {
    most: mostSubtasks,
    sentence: `A task has ${mostSubtasks} subtasks at most; put more into another task`,
    held: below(sql`subtasks`, sql`task_id`),
  },
  // all of them are walked to find the time on a task, and the moment at which it is deleted
  subtasksEverOfTask: {
    most: mostSubtasksEver,
    sentence: `A task has ${mostSubtasksEver} subtasks at most with those that were deleted in the last 30 days; put more into another task`,
    held: (orgId, id) => sql`subtasks where subtasks.org_id = ${orgId} and subtasks.task_id = ${id}`,
  },
  commentsOnTask: {
    most: mostComments,
    sentence: `A task has ${mostComments} comments at most`,
    held: below(sql`comments`, sql`task_id`),
  },
  timeOnTask: {
    most: mostTime,
    sentence: `A task has ${mostTime} time entries at most, with those on its subtasks; record more on another task`,
    held: timeOn(sql`time_entries.deleted_at is null`),
    everHeld: timeOn(sql`true`),
  },
  stagesOfWorkspace: {
    most: mostStages,
    sentence: `A workspace has ${mostStages} stages at most`,
    held: below(sql`stages`, sql`workspace_id`),
  },
  webhooksOfOrganization: {
    most: mostWebhooks,
    sentence: `An organization has ${mostWebhooks} webhooks at most; delete some first`,
    held: (orgId) => sql`webhooks where webhooks.org_id = ${orgId} and webhooks.deleted_at is null`,
  },
} satisfies Record<string, Limit>

/**
 * Enforces a limit. Where the holder is not locked, requests at the same time may exceed it by a few.
 * @param entering how many are about to be added
 * @param sentAlong whether they are added by a statement that is sent together with this check; what is asked for after the
 *   first answer counts them already
 * @throws 412 when they would exceed the limit
 */
export async function refuseIfOverLimit(
  db: Db,
  { most, sentence, held, everHeld = held }: Limit,
  { orgId, id, entering = 1, sentAlong = false }: { orgId: string; id: string; entering?: number; sentAlong?: boolean },
): Promise<void> {
  const exceeds = (rows: Limit['held'], more: number) =>
    db.row(sql`select from ${rows(orgId, id)} offset ${most - more} limit 1`)
  if (!(await exceeds(everHeld, entering))) return
  if (everHeld === held || (await exceeds(held, sentAlong ? 0 : entering))) throw refused(sentence, 'no_room')
}
