import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/** A table whose rows join one thing to others. */
interface Joins {
  table: Sql
  /** the table of the one */
  ones: Sql
  /** the column of the one */
  of: Sql
  /** the column of the others */
  to: Sql
}

/** Joins one thing, which is stored, to these others, and to no more. */
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
  // selected from the row itself: so Citus has it done where that is
  await db.rows(sql`
    insert into ${table} (org_id, ${of}, ${to})
    select one.org_id, one.id, other from ${ones} one, unnest(${others}::uuid[]) other
    where one.org_id = ${orgId} and one.id = ${id} on conflict do nothing`)
}
