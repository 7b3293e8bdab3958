import type { Db } from '../../db/db.ts'
import { nilId } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { OwnTable } from './tables.ts'

/** From now on a deleted organization cannot come back. @returns whether that is so: nobody restored it before */
export async function beginErasure(db: Db, orgId: string, now: string): Promise<boolean> {
  const begun = await db.row(sql`
    update organizations set erasure_begun_at = coalesce(erasure_begun_at, ${now})
    where org_id = ${orgId} and deleted_since is not null returning org_id`)
  return begun !== undefined
}

/**
 * Takes away every row of an organization whose erasure was begun, in batches; the organization itself stays, to say that
 * something may be left. It may be ended anywhere and begun anew. Table after table is walked in the order of its key, so that
 * no batch passes over what those before it left to be vacuumed.
 * @yields how many rows each batch took away
 */
export async function* erasure(
  db: Db,
  orgId: string,
  tables: readonly OwnTable[],
  batch: number,
): AsyncGenerator<number, void> {
  for (let left = true; left; ) {
    left = false
    for (const table of tables.slice(0, -1)) {
      for await (const erased of erasureOfTable(db, orgId, table, batch)) {
        left = true
        yield erased
      }
    }
  }
}

/**
 * Takes away organizations of which all else is gone. What PostgreSQL remembers of values, for its plans, is read anew before: as
 * long as an organization is there, so is somebody who does it.
 */
export async function endErasures(db: Db, orgIds: readonly string[], tables: readonly OwnTable[]): Promise<void> {
  // answers that tell of it are under nil ids where the operator asked
  await db.rows(
    sql`delete from idempotency_keys where org_id = ${nilId} and tells_of = any(${orgIds}::uuid[]) returning key`,
  )
  await db.rows(sql`update organizations set name = '' where org_id = any(${orgIds}::uuid[]) returning org_id`)
  for (const { name } of tables) await forgetValues(db, name)
  await db.rows(sql`
    delete from organizations where org_id = any(${orgIds}::uuid[]) and erasure_begun_at is not null returning org_id`)
  // of the organization itself only its id was left
  await forgetValues(db, 'organizations')
}

/** Has PostgreSQL forget the values of a table that are gone. Of an empty one it reads nothing anew; it can be told since 18. */
async function forgetValues(db: Db, name: string): Promise<void> {
  const table = sql.named(name)
  await db.rows(sql`analyze ${table}`)
  // Citus fetches what such a question finds: one row, of which it wants a column
  const known = await db.row<{ empty: boolean; canForget: boolean }>(sql`
    select not exists (select org_id from ${table} limit 1) as empty, to_regproc('pg_clear_attribute_stats') is not null as "canForget"`)
  if (!known?.empty || !known.canForget) return
  await db.rows(sql`
    select pg_clear_attribute_stats('public', ${name}::text, attname::text, false) from pg_attribute
    where attrelid = ${name}::text::regclass and attnum > 0 and not attisdropped`)
}

async function* erasureOfTable(
  db: Db,
  orgId: string,
  { name, key, namesItselfBy }: OwnTable,
  batch: number,
): AsyncGenerator<number, void> {
  const table = sql.named(name)
  for (const column of namesItselfBy.map(sql.named)) {
    // what names another row does not keep it
    await db.rows(
      sql`update ${table} set ${column} = null where org_id = ${orgId} and ${column} is not null returning org_id`,
    )
  }
  const columns = key.slice(1).map(sql.named)
  if (columns.length === 0) {
    const rows = await db.rows(sql`delete from ${table} where org_id = ${orgId} returning org_id`)
    if (rows.length > 0) yield rows.length
    return
  }
  const row = sql`(${sql.join(columns, ', ')})`
  const order = (direction: Sql) =>
    sql.join(
      columns.map((column) => sql`${column} ${direction}`),
      ', ',
    )
  for (let after = sql`true`; ; ) {
    const mine = sql`org_id = ${orgId} and ${after}`
    const [last] = await db.rows<Record<string, unknown>>(sql`
      select * from (
        select ${sql.join(columns, ', ')} from ${table} where ${mine} order by ${order(sql.empty)} limit ${batch}) due
      order by ${order(sql`desc`)} limit 1`)
    if (last === undefined) return
    const end = sql`(${sql.join(
      key.slice(1).map((column) => sql`${last[column]}`),
      ', ',
    )})`
    // row by row through the primary key: of a range the planner may think that another index is shorter
    const rows = await db.rows(sql`
      delete from ${table} where org_id = ${orgId} and ${row} in (
        select ${sql.join(columns, ', ')} from ${table} where ${mine} order by ${order(sql.empty)} limit ${batch})
      returning org_id`)
    yield rows.length
    after = sql`${row} > ${end}`
  }
}
