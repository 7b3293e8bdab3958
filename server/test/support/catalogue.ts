import type { Db } from '../../src/db/db.ts'
import { Sql, sql } from '../../src/db/sql.ts'
import { onCitus } from './citus.ts'

/** The tables that belong to the instance: a person is a member of several organizations. */
export const tablesOfTheInstance = [
  ...['instance', 'migrations', 'persons', 'passkeys', 'identities', 'sessions', 'sign_in_tokens', 'sign_in_failures'],
  ...['outgoing_mail', 'device_logins'],
]

/** A foreign key between two tables of an organization: the column that names a row of the other one. */
export interface Reference {
  child: string
  column: string
  parent: string
}

/** The name of a table or of a column, as the catalogue tells it. */
export const named = (name: string): Sql => new Sql([`"${name}"`], [])

/** The tables with a column of this name, or of this type. */
export async function tablesWith(db: Db, column: string): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    select distinct relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and ${column}::text in (attname, format_type(atttypid, null)) order by 1`)
  return rows.map(({ name }) => name)
}

/** All foreign keys but those that name the organization alone. */
export const referencesOf = (db: Db): Promise<Reference[]> =>
  db.rows<Reference>(sql`
    select child.relname::text as child, attname::text as column, parent.relname::text as parent
    from pg_constraint
    join pg_class child on child.oid = conrelid and child.relnamespace = 'public'::regnamespace
    join pg_class parent on parent.oid = confrelid
    join pg_attribute on attrelid = conrelid and attnum = any(conkey) and attname <> 'org_id'
    where contype = 'f' order by 1, 2, 3`)

/** Copies all rows of an organization into new ones, under the same ids. */
export async function copyOrganization(db: Db, orgId: string, copies: readonly string[]): Promise<void> {
  for (const table of await inOrderOfReferences(db)) {
    const columns = await db.rows<{ name: string }>(sql`
      select attname::text as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'org_id'`)
    const all = new Sql([columns.map(({ name }) => `, "${name}"`).join('')], [])
    await db.rows(sql`
      insert into ${named(table)} (org_id${all}) select copies.org_id${all}
      from ${named(table)} original, unnest(${copies}::uuid[]) as copies (org_id) where original.org_id = ${orgId}`)
  }
}

/** The tables that hold rows of organizations, each behind those that it refers to. */
async function inOrderOfReferences(db: Db): Promise<string[]> {
  const references = (await referencesOf(db)).filter(({ child, parent }) => child !== parent)
  // what names the organization alone comes behind it
  let left = (await tablesWith(db, 'org_id')).filter((table) => table !== 'organizations')
  const ordered = ['organizations']
  while (left.length > 0) {
    const waits = (table: string) => references.some(({ child, parent }) => child === table && left.includes(parent))
    const next = left.filter((table) => !waits(table))
    if (next.length === 0) throw new Error(`These tables refer to each other: ${left.join(', ')}`)
    ordered.push(...next)
    left = left.filter(waits)
  }
  return ordered
}

/** What PostgreSQL remembers of the values of columns such as `members.email`, for its plans: on Citus, in the nodes. */
export async function rememberedValues(db: Db): Promise<{ of: string; values: string }[]> {
  const here = sql`
    select regexp_replace(tablename, '_[0-9]+$', '') || '.' || attname as of,
      concat(most_common_vals::text, histogram_bounds::text) as values
    from pg_stats where schemaname = 'public'`
  if (!onCitus) return db.rows(here)
  const there = `select coalesce(json_agg(known), '[]') from (${here.text}) known`
  const nodes = await db.rows<{ found: string }>(sql`
    select result as found from run_command_on_workers(${there}::text)`)
  return nodes.flatMap(({ found }) => JSON.parse(found))
}
