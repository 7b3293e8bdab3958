import type pg from 'pg'
import type { Contents } from './contents.ts'

export type ArchivedTable = Contents['tables'][number]

/** The table that an archive describes in its first entry instead of a copy. */
export const migrationsTable = 'migrations'

/**
 * Tables that no archive contains. After a restore, people sign in again, no earlier link works, and no mail is sent a second
 * time.
 */
const transient = ['sessions', 'sign_in_tokens', 'sign_in_failures', 'device_logins', 'outgoing_mail']

/**
 * All tables from the catalogue but the transient ones, so that none is forgotten. Each stands after the tables to which it refers. Generated columns
 * are left out.
 */
export async function tablesOf(client: pg.ClientBase): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable & { parents: string[] }>(
    `
    select relname::text as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select attname::text from pg_index, unnest(indkey) with ordinality as key (number, place)
        join pg_attribute on attnum = number
        where indrelid = pg_class.oid and indisprimary and attrelid = pg_class.oid order by place) as key,
      array(select confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid) as parents
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname <> all($1::text[])
    order by relname`,
    [[migrationsTable, ...transient]],
  )
  const ordered: ArchivedTable[] = []
  let left = rows
  while (left.length > 0) {
    const next = left.filter(({ parents }) => !left.some(({ name }) => parents.includes(name)))
    if (next.length === 0)
      throw new Error(`These tables refer to each other: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...next.map(({ name, columns, key }) => ({ name, columns, key })))
    left = left.filter((table) => !next.includes(table))
  }
  return ordered
}

/** Whether a table has rows of organizations. */
export const isOfOrganizations = ({ columns }: ArchivedTable) => columns.includes('org_id')
