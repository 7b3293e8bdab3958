import type pg from 'pg'
import { sql } from '../sql.ts'
import { type Contents, format } from './contents.ts'
import { ArchiveProblem } from './problem.ts'
import { type ArchivedTable, isOfOrganizations } from './tables.ts'

/**
 * The globally unique id of this database, as `instance`: 12 hexadecimal digits. A standby that takes over keeps it. A database
 * restored from an archive has its own.
 */
export const instanceStatement = sql`
  select left(encode(sha256(convert_to(system_identifier || '/' || pg_database.oid, 'UTF8')), 'hex'), 12) as instance
  from pg_control_system(), pg_database where datname = current_database()`

interface ContentsQuery {
  version: string
  orgId?: string | undefined
}

/** The first entry of an archive of this database, or of one organization in it. */
export async function contentsIn(
  client: pg.Client,
  all: ArchivedTable[],
  { version, orgId }: ContentsQuery,
): Promise<Contents> {
  const organization = orgId === undefined ? null : await organizationIn(client, orgId)
  const { rows } = await client.query<{ database: string; fingerprint: string | null }>(
    `select current_setting('server_version') as database,
       (select to_jsonb(instance) ->> 'secret_key_fingerprint' from instance) as fingerprint`,
  )
  const { database = '', fingerprint = null } = rows[0] ?? {}
  const { rows: named } = await client.query<{ instance: string }>(instanceStatement.text)
  return {
    format,
    taskwright: version,
    madeAt: new Date().toISOString(),
    database: `PostgreSQL ${database}`,
    instance: named[0]?.instance,
    organization,
    // the text begins with \x
    secretKeyFingerprint: fingerprint?.slice(2) ?? null,
    migrations: await migrationsIn(client),
    tables: organization ? all.filter(isOfOrganizations) : all,
  }
}

async function organizationIn(client: pg.Client, orgId: string): Promise<{ id: string; name: string }> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'select org_id as id, name from organizations where org_id::text = $1',
    [orgId.toLowerCase()],
  )
  if (!rows[0]) throw new ArchiveProblem(`There is no organization ${orgId}.`)
  return rows[0]
}

async function migrationsIn(client: pg.Client): Promise<Contents['migrations']> {
  const { rows } = await client.query<{ name: string; hash: string | null; appliedAt: string }>(
    `select name, to_jsonb(migrations) ->> 'hash' as hash, applied_at::text as "appliedAt" from migrations order by name`,
  )
  return rows.map(({ name, hash, appliedAt }) => {
    if (hash === null)
      throw new ArchiveProblem('A version before 0.1.0 made this database: run taskwright migrate, then back it up.')
    return { name, hash, appliedAt }
  })
}

/** Estimates the share of all tables that is read after a number of rows of one table, from the sizes in the catalogue. */
export async function shareOf(client: pg.Client, tables: readonly ArchivedTable[]) {
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `select relname as name, reltuples::bigint as rows, pg_table_size(oid) as bytes from pg_class
     where oid = any($1::text[]::regclass[])`,
    [tables.map(({ name }) => name)],
  )
  const sizes = new Map(rows.map(({ name, ...size }) => [name, { rows: Number(size.rows), bytes: Number(size.bytes) }]))
  const bytesOf = ({ name }: ArchivedTable) => sizes.get(name)?.bytes ?? 0
  const total = tables.reduce((sum, table) => sum + bytesOf(table), 1)
  return (table: ArchivedTable, rowsRead: number): number => {
    const before = tables.slice(0, tables.indexOf(table)).reduce((sum, one) => sum + bytesOf(one), 0)
    const expected = sizes.get(table.name)?.rows ?? 0
    return (before + bytesOf(table) * (expected > 0 ? Math.min(1, rowsRead / expected) : 0)) / total
  }
}
