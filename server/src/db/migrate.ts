import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { StartupProblem } from './embedded/startup-problem.ts'
import { failureOf } from './failures.ts'
import { foldAnew, keepPhrases } from './refolding.ts'
import { plainClient, setSession, settings } from './session.ts'

const folder = new URL('../../migrations/', import.meta.url)

// any number will do, as long as every process takes the same
const lockNumber = 7_265_100_001

// what only the server can compute, after the script of that name and in its transaction
const beyondSql: Record<string, (client: pg.Client) => Promise<void>> = {
  '0018_marks_of_letters.sql': foldAnew,
  '0029_phrases.sql': keepPhrases,
}

/**
 * Brings the schema up to date, then runs `setUp`, all under one advisory lock: of several processes that start at
 * once, one does it and the others wait. Each migration is a transaction of its own.
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  connection: pg.ClientConfig,
  setUp: () => Promise<void> = async () => {},
): Promise<string[]> {
  const client = plainClient(connection, 'taskwright-migrate')
  try {
    await connected(client)
    await setSession(client, settings.plain)
    await refuseOlderThan15(client)
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    await client.query('create table if not exists migrations (name text primary key, applied_at timestamptz not null)')
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map(({ name }) => name))
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    refuseNewerSchema(applied, files)
    const missing = files.filter((name) => !applied.has(name))
    for (const name of missing) await apply(client, name)
    await client.query('insert into instance (secret, created_at) values ($1, $2) on conflict do nothing', [
      randomBytes(32),
      new Date(),
    ])
    await setUp()
    return missing
  } finally {
    await client.end()
  }
}

/** @throws StartupProblem when the database is there, and does not let us in */
async function connected(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    if (failureOf(error) === 'unavailable') throw error
    throw new StartupProblem(`The database cannot be used: ${(error as Error).message}`)
  }
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const script = await readFile(new URL(name, folder), 'utf8')
  await client.query('begin')
  try {
    // first, so that a second process that got here by any way fails on it
    await client.query('insert into migrations (name, applied_at) values ($1, $2)', [name, new Date()])
    await client.query(script)
    await beyondSql[name]?.(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new StartupProblem(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

async function refuseOlderThan15(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>('show server_version_num')
  const version = Number(Object.values(rows[0] ?? {})[0])
  if (version < 150_000)
    throw new StartupProblem(`PostgreSQL 15 or newer is needed; this one is ${Math.floor(version / 10_000)}.`)
}

function refuseNewerSchema(applied: Set<string>, files: string[]): void {
  const unknown = [...applied].filter((name) => !files.includes(name))
  if (unknown.length === 0) return
  if (!unknown.every((name) => /^[0-9]{4}_[a-z_]+\.sql$/.test(name)))
    throw new StartupProblem('The database is that of another application; give Taskwright one of its own.')
  throw new StartupProblem(
    `The database was migrated by a newer Taskwright (${unknown.join(', ')}). Start that version.`,
  )
}
