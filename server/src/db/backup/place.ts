import type pg from 'pg'
import { isOnCitus } from '../migrations/citus.ts'
import { isHalfRestored, restoreMark } from '../migrations/half-restored.ts'
import { lockMigrations, unlockMigrations } from '../migrations/migration-lock.ts'
import { begin } from '../pool/begin.ts'
import { isReadOnly } from '../pool/read-only.ts'
import { ArchiveProblem } from './problem.ts'
import { isOfOrganizations, migrationsTable, tablesOf } from './tables.ts'

/** The content of a database before a restore. */
type TargetContents = 'nothing' | 'organizations'

/**
 * Looks at the content of a database. It counts as empty if it was migrated but nobody has written into it, or if a restore did
 * not finish there.
 * @throws ArchiveProblem if nothing can be restored there
 */
export async function contentsOfTarget(client: pg.Client): Promise<TargetContents> {
  if (await isReadOnly(client))
    throw new ArchiveProblem('The database is read-only: restore into one that accepts writes.')
  if (await isOnCitus(client))
    throw new ArchiveProblem(
      'This database is one of a Citus cluster: restore into a PostgreSQL without that extension.',
    )
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  )
  if (rows.length === 0 || (await isHalfRestored(client))) return 'nothing'
  const names = rows.map(({ name }) => name)
  if (!names.includes(migrationsTable) || !names.includes('organizations')) {
    // a start that was stopped at once leaves only this table
    if (names.length === 1 && names[0] === migrationsTable) return 'nothing'
    throw new ArchiveProblem('The database belongs to another application. Give Taskwright its own database.')
  }
  for (const { name } of (await tablesOf(client)).filter(isOfOrganizations)) {
    const { rows: held } = await client.query(`select from ${name} limit 1`)
    if (held.length > 0) return 'organizations'
  }
  return 'nothing'
}

/**
 * Empties the database and marks it, so that no server starts on it before the restore commits.
 * @throws ArchiveProblem if somebody wrote into it in the meantime
 */
export async function claimTarget(client: pg.Client, say: (sentence: string) => void): Promise<void> {
  await lockMigrations(client, say)
  try {
    await begin(client)
    if ((await contentsOfTarget(client)) !== 'nothing') throw occupied()
    await dropAll(client)
    await client.query('create table migrations (name text primary key, applied_at timestamptz not null, hash text)')
    await client.query('insert into migrations (name, applied_at, hash) values ($1, $2, $1)', [restoreMark, new Date()])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    await unlockMigrations(client).catch(() => {})
  }
}

export const occupied = () =>
  new ArchiveProblem(
    'The database is not empty. Nothing was restored. Set DATABASE_URL to an empty database, or DATA_DIR to a new directory.',
  )

/** Drops everything that migrations created, except extensions. */
async function dropAll(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ kind: string; name: string }>(`
    select case relkind when 'v' then 'view' else 'table' end as kind, oid::regclass::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    union all
    select 'function', oid::regprocedure::text from pg_proc
    where pronamespace = current_schema()::regnamespace and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')`)
  const kinds = ['view', 'table', 'function']
  for (const { kind, name } of rows.toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind)))
    await client.query(`drop ${kind} if exists ${name} cascade`)
}
