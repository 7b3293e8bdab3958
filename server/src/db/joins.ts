import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/** A table that joins one row to others. */
interface Joins {
  table: Sql
  /** the table of the one row */
  ones: Sql
  /** the column that names the one row */
  of: Sql
  /** the column that names the others */
  to: Sql
}

/** Joins one stored row to exactly these others. */
export async function joinTo(
  db: Db,
  { table, ones, of, to }: Joins,
  orgId: string,
  id: string,
  others: readonly string[],
): Promise<void> {
  await db.rows(sql`
    delete from ${table} where org_id = ${orgId} and ${of} = ${id} and ${to} <> all(${others})`)
  if (others.length === 0) return
  // select from the row itself, so that Citus runs this on the row's shard
  await db.rows(sql`
    insert into ${table} (org_id, ${of}, ${to})
    select one.org_id, one.id, other from ${ones} one, unnest(${others}::uuid[]) other
    where one.org_id = ${orgId} and one.id = ${id} on conflict do nothing`)
}
