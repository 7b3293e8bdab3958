import type { CopyTransaction } from './copy-transaction.ts'

/**
 * Drops the indexes of those tables that are empty, except the indexes of keys. Building them at the end, over all rows, writes
 * half the log (WAL) and takes two thirds of the time. Until the transaction ends nobody else can use these tables.
 * @returns function that builds them again
 */
export async function setIndexesAside(tx: CopyTransaction, tables: readonly string[]): Promise<() => Promise<void>> {
  const empty: string[] = []
  for (const table of tables) {
    const [held] = await tx.query(`select 1 as row from ${table} limit 1`)
    if (held === undefined) empty.push(table)
  }
  const indexes = await tx.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where indrelid = any($1::text[]::regclass[]) and pg_has_role(relowner, 'usage')
       and not exists (select from pg_constraint where conindid = indexrelid)
       and not exists (select from pg_extension where extname = 'citus')`,
    [empty],
  )
  for (const { name } of indexes) await tx.query(`drop index ${name}`)
  return async () => {
    await tx.query("set local maintenance_work_mem = '256MB'")
    for (const { definition } of indexes) await tx.query(definition)
  }
}
