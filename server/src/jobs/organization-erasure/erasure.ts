import type { Db } from '../../db/db.ts'
import { nilId } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { OwnTable } from './tables.ts'

/** Marks a deleted organization so that nobody can restore it. @returns false if somebody restored it before */
export async function beginErasure(db: Db, orgId: string, now: string): Promise<boolean> {
  const begun = await db.row(sql`
    update organizations set erasure_begun_at = coalesce(erasure_begun_at, ${now})
    where org_id = ${orgId} and deleted_since is not null returning org_id`)
  return begun !== undefined
}

/**
 * Erases all rows of an organization in batches, once its erasure has begun. The row of the organization stays, as a sign that
 * rows may be left. It may stop at any point and start again. It walks each table in the order of its key, so that no batch
 * scans the dead rows of earlier batches.
 * @yields the number of rows erased by each batch
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
 * Deletes organizations that have no other rows left. Before that it makes PostgreSQL forget their values in its statistics.
 * If that fails, the organization is still there, and a later run does it again.
 */
export async function endErasures(db: Db, orgIds: readonly string[], tables: readonly OwnTable[]): Promise<void> {
  // the operator's stored responses about these organizations are under nil ids
  await db.rows(
    sql`delete from idempotency_keys where org_id = ${nilId} and tells_of = any(${orgIds}::uuid[]) returning key`,
  )
  await db.rows(sql`update organizations set name = '' where org_id = any(${orgIds}::uuid[]) returning org_id`)
  for (const { name } of tables) await forgetValues(db, name)
  await db.rows(sql`
    delete from organizations where org_id = any(${orgIds}::uuid[]) and erasure_begun_at is not null returning org_id`)
  // the organization's own row had only its id left
  await forgetValues(db, 'organizations')
}

/** Removes erased values from a table's statistics. ANALYZE skips an empty table; since version 18 they can be cleared. */
async function forgetValues(db: Db, name: string): Promise<void> {
  const table = sql.named(name)
  await db.rows(sql`analyze ${table}`)
  // the limit keeps Citus from fetching every row, and Citus needs a column to select
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
    // a row that another row names cannot be deleted
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
    // row by row through the primary key: for a range the planner may choose another index that it thinks is shorter
    const rows = await db.rows(sql`
      delete from ${table} where org_id = ${orgId} and ${row} in (
        select ${sql.join(columns, ', ')} from ${table} where ${mine} order by ${order(sql.empty)} limit ${batch})
      returning org_id`)
    yield rows.length
    after = sql`${row} > ${end}`
  }
}
