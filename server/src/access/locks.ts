import type { Db } from '../db/db.ts'
import { type RowLock, type Sql, sql } from '../db/sql.ts'

/**
 * Condition: it is a project that is meant, and it was entered, which a write does before it takes a row of it. Whoever
 * decides who may write in it (archives or deletes it, withdraws a membership) enters with 'update': alone, after those
 * before it and before those behind it.
 * @param which condition: the project is one that is meant
 */
export const lockProject = (lock: RowLock, which: Sql): Sql => advisoryLock(sql`projects.id`, lock, which)

/**
 * Waits for its turn with the rows of a table that are meant, which are read by the statement behind this one: a statement
 * sees what was there when it began, not when it had waited. (A lock that keeps all others out, as for projects, makes
 * PostgreSQL look again; here those who change a row let others hold its key.)
 */
export async function takeAdvisoryLock(db: Db, table: Sql, id: Sql, lock: RowLock, which: Sql): Promise<void> {
  if (lock !== 'none') await db.rows(sql`select from ${table} where ${advisoryLock(id, lock, which)}`)
}

/**
 * Condition: the row is one that is meant, and it was this one's turn with what the id names: alone with 'update', with
 * any other lock beside all that are not alone. Locks of rows have no such queue: a stream of those who share one would
 * keep others waiting for ever.
 * @param which condition: the row is one that is meant. It is asked before the queue is entered too: PostgreSQL checks
 *   the conditions of a row in the order of what they cost, and would enter the queue of any row that it comes past
 */
export function advisoryLock(id: Sql, lock: RowLock, which: Sql): Sql {
  if (lock === 'none') return which
  const enter = lock === 'update' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  return sql`${which} and case when ${which} then ${enter}(uuid_hash_extended(${id}, 0)) is not null end`
}

/** Waits for its turn to write the time of a member, until whose commit the next one waits. */
export const lockMember = (db: Db, orgId: string, memberId: string) =>
  db.row<{ status: string }>(sql`
    select status from members
    where org_id = ${orgId} and id = ${memberId} and deleted_at is null for no key update`)
