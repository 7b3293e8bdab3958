import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type RowLock, type Sql, sql } from '../db/sql.ts'

/**
 * Condition: the project is selected by `which`, and its advisory lock is held. A write takes it before it locks any row of
 * the project. A change of write access (archive or delete the project, remove a member) takes it exclusively with 'update'.
 * It waits for earlier writes, and later writes wait for it.
 */
export const lockProject = (lock: RowLock, which: Sql): Sql => advisoryLock(sql`projects.id`, lock, which)

/**
 * Takes the advisory locks of rows in a separate statement, before the statement that reads them. A statement sees the rows as
 * they were when it began, not after its wait. (A row lock FOR UPDATE, as on projects, makes PostgreSQL read the row again.
 * Here writers take FOR NO KEY UPDATE, so that others can hold FOR KEY SHARE.)
 */
export async function takeAdvisoryLock(db: Db, table: Sql, id: Sql, lock: RowLock, which: Sql): Promise<void> {
  if (lock !== 'none') await db.rows(sql`select from ${table} where ${advisoryLock(id, lock, which)}`)
}

/**
 * Condition: the row is selected by `which`, and the advisory lock of the id is held until the transaction ends. It is
 * exclusive for 'update', shared for any other lock. PostgreSQL grants advisory locks in the order of the requests. Row locks
 * differ: a stream of shared ones would make an exclusive one wait for ever.
 * @param which repeated in the CASE: PostgreSQL evaluates conditions by their cost, and would otherwise lock the id of every
 *   row that it passes
 */
export function advisoryLock(id: Sql, lock: RowLock, which: Sql): Sql {
  if (lock === 'none') return which
  const enter = lock === 'update' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  return sql`${which} and case when ${which} then ${enter}(uuid_hash_extended(${id}, 0)) is not null end`
}

/**
 * Takes the advisory locks of these projects exclusively, in the order of their ids. Each node of a cluster has its own locks.
 * So it reads the projects' rows: this takes the locks on the nodes where writers take them.
 * @throws 412 beyond `mostHeld`
 */
export async function lockProjects(db: Db, orgId: string, ids: readonly string[]): Promise<void> {
  countLocks(db, ids)
  await db.rows(sql`
    select pg_advisory_xact_lock(uuid_hash_extended(entered.id, 0)) from (
      select projects.id from projects where projects.org_id = ${orgId} and projects.id = any(${ids}::uuid[])
      order by projects.id) entered`)
}

/**
 * The most advisory locks of a transaction. PostgreSQL has few slots for them, and all organizations need some. One organization
 * runs at most eight transactions, so together they leave room.
 */
export const mostHeld = 600

const held = new WeakMap<Db, Set<string>>()

/**
 * Counts the advisory locks that a transaction is about to take, before a statement that takes many.
 * @param ids the locked ids
 * @throws 412 if it would hold too many
 */
export function countLocks(db: Db, ids: readonly string[]): void {
  const all = held.get(db) ?? new Set()
  held.set(db, all)
  for (const id of ids) all.add(id)
  if (all.size <= mostHeld) return
  throw refused(
    `This would lock more than ${mostHeld} projects or members at once; do it in smaller parts`,
    'too_many_changes',
  )
}

/** Locks the row of a member until the transaction ends: one transaction at a time writes a member's time entries. */
export const lockMember = (db: Db, orgId: string, memberId: string) =>
  db.row<{ status: string }>(sql`
    select status from members
    where org_id = ${orgId} and id = ${memberId} and deleted_at is null for no key update`)
