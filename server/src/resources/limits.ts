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
  /** the same with what was deleted and is not purged yet, all of which is walked when the holder is deleted or restored */
  ever?: Omit<Limit, 'ever'>
}

const mostSubtasks = 1_000
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

const everBelow =
  (table: Sql, parent: Sql): Limit['held'] =>
  (orgId, id) =>
    sql`${table} where ${table}.org_id = ${orgId} and ${table}.${parent} = ${id}`

/** @param who `A task has` */
const ever = (who: string, most: number, noun: string, held: Limit['held']) => ({
  most: 10 * most,
  sentence: `${who} ${10 * most} ${noun} at most with those that were deleted in the last 30 days`,
  held,
})

/** All limits. */
export const limits = {
  subtasksOfTask: {
    most: mostSubtasks,
    sentence: `A task has ${mostSubtasks} subtasks at most; put more into another task`,
    held: below(sql`subtasks`, sql`task_id`),
    ever: ever('A task has', mostSubtasks, 'subtasks', everBelow(sql`subtasks`, sql`task_id`)),
  },
  commentsOnTask: {
    most: mostComments,
    sentence: `A task has ${mostComments} comments at most`,
    held: below(sql`comments`, sql`task_id`),
    ever: ever('A task has', mostComments, 'comments', everBelow(sql`comments`, sql`task_id`)),
  },
  timeOnTask: {
    most: mostTime,
    sentence: `A task has ${mostTime} time entries at most, with those on its subtasks; record more on another task`,
    held: timeOn(sql`time_entries.deleted_at is null`),
    ever: ever('A task has', mostTime, 'time entries', timeOn(sql`true`)),
  },
  stagesOfWorkspace: {
    most: mostStages,
    sentence: `A workspace has ${mostStages} stages at most`,
    held: below(sql`stages`, sql`workspace_id`),
    ever: ever('A workspace has', mostStages, 'stages', everBelow(sql`stages`, sql`workspace_id`)),
  },
  webhooksOfOrganization: {
    most: mostWebhooks,
    sentence: `An organization has ${mostWebhooks} webhooks at most; delete some first`,
    held: (orgId) => sql`webhooks where webhooks.org_id = ${orgId} and webhooks.deleted_at is null`,
  },
} satisfies Record<string, Limit>

interface Entering {
  orgId: string
  id: string
  /** how many are about to be added */
  entering?: number
  /** whether they are added by a statement that is sent together with this check; what is asked for after the first answer counts them already */
  sentAlong?: boolean
  /** whether they were deleted and come back */
  returning?: boolean
}

/**
 * Enforces a limit. Where the holder is not locked, requests at the same time may exceed it by a few.
 * @throws 412 when they would exceed the limit
 */
export async function refuseIfOverLimit(
  db: Db,
  { most, sentence, held, ever }: Limit,
  { orgId, id, entering = 1, sentAlong = false, returning = false }: Entering,
): Promise<void> {
  const exceeds = (rows: Limit['held'], room: number) =>
    db.row(sql`select from ${rows(orgId, id)} offset ${room} limit 1`)
  // with what is deleted first: that takes an index alone, and is nearly always enough
  if (!(await exceeds(ever?.held ?? held, most - entering))) return
  if (ever === undefined) throw refused(sentence, 'no_room')
  const more = sentAlong ? 0 : entering
  if (await exceeds(held, most - more)) throw refused(sentence, 'no_room')
  if (!returning && (await exceeds(ever.held, ever.most - more))) throw refused(ever.sentence, 'no_room')
}
