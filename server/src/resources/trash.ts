import { admins, type ProjectRole } from '../access/caller.ts'
import type { Loader } from '../access/loader.ts'
import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import type { RowLock } from '../db/sql.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import type { Emit } from '../events/outbox.ts'
import type { Context } from '../operations/context.ts'
import { type Constraints, type OperationName, type Route, route } from '../operations/route.ts'

interface RestoreDeclaration<Item, Emitted extends string> {
  name: OperationName
  target: Loader<Item>
  /** the role that the caller also needs, if not all owners and admins may restore it */
  needs?: ProjectRole
  /** the description of the operation: the resources that come back with it, and those that do not */
  description?: string
  constraints?: Constraints
  /** whether it can be restored while archived */
  evenArchived?: boolean
  /** the types of the events that `before` may emit */
  emits?: readonly Emitted[]
  /** runs before its own restore: restores its parts, and refuses if it cannot return */
  before?: (context: RestoreContext<Item, NoInfer<Emitted>>) => Promise<void>
}

/** The context of a restore. */
export type RestoreContext<Item, Emitted extends string = never> = Pick<Context, 'db' | 'caller' | 'now'> & {
  target: Item
  emit: Emit<Emitted>
}

/** Declares `POST …/{id}/restore`: owners and admins can restore a resource for 30 days, with its deleted parts. */
export const restoreRoute = <Item extends { id: string }, const Emitted extends string = never>(
  stored: Table<Item>,
  {
    name,
    target,
    needs,
    description,
    constraints = {},
    evenArchived = false,
    emits = [],
    before,
  }: RestoreDeclaration<Item, Emitted>,
): Route => {
  const noun = stored.noun.replaceAll('_', ' ')
  return route(`POST /${stored.name.replaceAll('_', '-')}/{id}/restore`, {
    name,
    summary: `Restore a deleted ${noun}`,
    description:
      description ??
      `You can restore a ${noun} for 30 days, with everything that was deleted with it. If its parent is deleted, restore the parent first.`,
    roles: admins,
    target,
    ...(needs === undefined ? {} : { needs }),
    deleted: true,
    emits: [`${stored.noun}.restored`, ...emits],
    evenArchived,
    returns: stored.schema,
    constraints,
    async handle({ db, caller, target, emit, now }) {
      await before?.({ db, caller, target, emit, now })
      const restored = await stored.restore(db, caller.orgId, target.id, now)
      emit(`${stored.noun}.restored`, restored, { before: target })
      return restored
    },
  })
}

interface DeletedParent {
  table: Sql
  orgId: string
  id: string
}

/** Condition: a row of the table was deleted together with its parent. */
export const deletedWith = (table: Sql, above: DeletedParent): Sql => sql`${table}.deleted_at = (
  select above.deleted_at from ${above.table} above where above.org_id = ${above.orgId} and above.id = ${above.id})`

/**
 * The deletion time of a row and the rows below it. A restore brings back the rows with the same time. So the time is
 * now, but later than any earlier removal below the row, even one in the same bulk.
 * @param below tables, each with the condition of its rows
 */
export async function momentOfRemoval(db: Db, orgId: string, now: string, ...below: [table: Sql, link: Sql][]) {
  // max of an expression: for max(deleted_at), the planner would walk the index over all organizations
  const after = below.map(
    ([table, link]) => sql`(select max(${table}.deleted_at + interval '1 millisecond') from ${table}
      where ${table}.org_id = ${orgId} and ${link})`,
  )
  const row = await db.row<{ moment: string }>(sql`
    select greatest(${now}::timestamptz, ${sql.join(after, ', ')})::timestamptz(3) as moment`)
  return expected(row, 'A moment').moment
}

/**
 * Removes the rows below a row, with the same deletion time. The event of that row covers them: nothing else in them
 * changes.
 */
export async function removeBelow(db: Db, table: Sql, orgId: string, link: Sql, now: string) {
  await db.rows(sql`
    update ${table} set deleted_at = ${now}
    where ${table}.org_id = ${orgId} and ${link} and ${table}.deleted_at is null`)
}

/**
 * Restores the rows that were deleted together with their parent, each under its next version. The event of the parent
 * covers them.
 * @param now the time of that event
 */
export async function restoreBelow(db: Db, table: Sql, above: DeletedParent, link: Sql, now: string) {
  await db.rows(sql`
    update ${table} set deleted_at = null, updated_at = greatest(${table}.updated_at, ${now}), version = ${table}.version + 1
    where ${table}.org_id = ${above.orgId} and ${link} and ${deletedWith(table, above)}`)
}

/**
 * @param lock keeps the parent from being deleted
 * @throws 412 when the parent is deleted
 */
export async function refuseIfOrphaned(
  db: Db,
  parent: Sql,
  orgId: string,
  id: string | null,
  noun: string,
  lock: RowLock = 'key share',
): Promise<void> {
  if (id === null) return
  const there = await db.row(sql`
    select id from ${parent} where org_id = ${orgId} and id = ${id} and deleted_at is null ${sql.lock(lock, parent)}`)
  if (there === undefined)
    throw refused(`The ${noun} it belongs to is deleted; restore the ${noun} first`, 'parent_deleted')
}
