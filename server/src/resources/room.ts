import type { Db } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { refused } from '../http/errors.ts'

/** How many subtasks a task has at most, since all of them are held when it is deleted. */
export const mostSubtasks = 1_000
/** How many comments a task has at most. */
export const mostComments = 10_000
/** How many stages a workspace has at most, since whoever enters it looks through them. */
export const mostStages = 100

/**
 * Keeps what is held by one thing few enough to be dealt with as a whole. More may be there from before.
 * @param rows a table and the condition that selects what it holds, which others do not add to meanwhile
 * @throws 412 when it holds as many as it may
 */
export async function refuseIfNoRoom(db: Db, rows: Sql, most: number, sentence: string): Promise<void> {
  const last = await db.row(sql`select from ${rows} offset ${most - 1} limit 1`)
  if (last) throw refused(sentence, 'no_room')
}
