import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/** A table whose rows join one thing to others. */
export interface Joins {
  table: Sql
  /** the column of the one */
  of: Sql
  /** the column of the others */
  to: Sql
}

/** Joins one thing to these others, and to no more. */
export async function joinTo(
  db: Db,
  { table, of, to }: Joins,
  orgId: string,
  id: string,
  others: readonly string[],
): Promise<void> {
  await db.rows(sql`
    delete from ${table} where org_id = ${orgId} and ${of} = ${id} and ${to} <> all(${others})`)
  await db.rows(sql`
    insert into ${table} (org_id, ${of}, ${to})
    select ${orgId}::uuid, ${id}::uuid, unnest(${others}::uuid[]) on conflict do nothing`)
}
