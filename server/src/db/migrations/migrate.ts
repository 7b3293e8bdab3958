import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import type pg from 'pg'
import { begin } from '../pool/begin.ts'
import { failureOf } from '../pool/failures.ts'
import { setOwnSession } from '../pool/poolers.ts'
import { isReadOnly } from '../pool/read-only.ts'
import { plainClient, sessionSettings, settingsOfNodes } from '../pool/session.ts'
import { StartupProblem } from '../pool/startup-problem.ts'
import { distributeTables, isDistributed, isOnCitus, setForNodes } from './citus.ts'
import { refuseHalfRestored, restoreMark } from './half-restored.ts'
import { apply } from './migrating.ts'
import { lockMigrations, waitForBackups } from './migration-lock.ts'
import { computeLexemes, recomputeNameKeys } from './recompute.ts'
import { allMigrations, type Migration } from './released.ts'
import { refuseBesideServers } from './rolling-upgrade.ts'

// computations that only the server can do, after the script of this name, in its transaction if it has one
const beyondSql: Record<string, (client: pg.Client) => Promise<void>> = {
  '0072_letters_with_marks.sql': recomputeNameKeys,
  '0074_lexemes.sql': computeLexemes,
}

interface MigrateOptions {
  say?: (sentence: string) => void
  /** gives up at once; unfinished work is undone */
  signal?: AbortSignal | undefined
  /** other migrations than those of this version */
  folder?: URL
  /** how long each migration waits in all for tables in use; default: two minutes */
  patienceMs?: number
  /** only these, by name: the schema of an archive for a restore */
  restoring?: readonly string[]
}

/**
 * Brings the schema up to date, then runs `setUp`, all under one advisory lock. If several processes start at once, one does
 * it and the others wait. A read-only database only has to be up to date.
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  connection: pg.ClientConfig,
  setUp: () => Promise<void> = async () => {},
  { say = () => {}, signal, folder, patienceMs, restoring }: MigrateOptions = {},
): Promise<string[]> {
  const socket = new Socket()
  const client = plainClient({ ...connection, stream: () => socket }, 'taskwright-migrate')
  const destroySocket = () => socket.destroy()
  signal?.throwIfAborted()
  signal?.addEventListener('abort', destroySocket)
  try {
    await connected(client)
    await setOwnSession(client, connection, sessionSettings.plain)
    await refuseOlderThan15(client)
    const all = (await allMigrations(folder)).filter(({ name }) => restoring?.includes(name) ?? true)
    if (await isReadOnly(client)) {
      await refuseHalfRestored(client)
      refuseOutdated(await missingOf(client, all))
      say(
        'The database is read-only (a standby, or default_transaction_read_only). This server answers reads; writes are 503.',
      )
      return []
    }
    await lockMigrations(client, say)
    if (!restoring) await refuseHalfRestored(client)
    const missing = await missingOf(client, all)
    await refuseBesideServers(client, missing)
    if (missing.length > 0) await waitForBackups(client, say)
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null, hash text)',
    )
    const onCitus = await isOnCitus(client)
    const distributed = onCitus && (await isDistributed(client))
    for (const migration of missing)
      await apply(client, migration, { say, beyond: beyondSql[migration.name], patienceMs, distributed })
    if (onCitus) await distribute(client, say)
    await client.query('insert into instance (secret, created_at) values ($1, $2) on conflict do nothing', [
      randomBytes(32),
      new Date(),
    ])
    await setUp()
    return missing.map(({ name }) => name)
  } finally {
    signal?.removeEventListener('abort', destroySocket)
    await client.end()
  }
}

/** The migrations that a start would apply, and the number of all; changes nothing. @throws StartupProblem as a start would */
export async function missingMigrations(client: pg.Client): Promise<{ missing: string[]; all: number }> {
  await refuseHalfRestored(client)
  const all = await allMigrations()
  return { missing: (await missingOf(client, all)).map(({ name }) => name), all: all.length }
}

/** Distributes the tables on a Citus cluster: all tables or none, and nothing if that is done. */
async function distribute(client: pg.Client, say: (sentence: string) => void): Promise<void> {
  await setForNodes(client, settingsOfNodes)
  await begin(client)
  const tables = await distributeTables(client)
  await client.query('commit')
  if (tables.length > 0) say(`${tables.length} tables are now distributed by organization over the nodes of Citus.`)
}

/** @throws StartupProblem if neither this version nor an older one made the schema */
async function missingOf(client: pg.Client, all: readonly Migration[]): Promise<Migration[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (!found[0]?.there) return [...all]
  // the table of another application may lack this column
  const { rows } = await client.query<{ name: string; hash: string | null }>(
    `select name, to_jsonb(migrations) ->> 'hash' as hash from migrations where name <> $1`,
    [restoreMark],
  )
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]))
  refuseNewerSchema(hashes, all)
  refuseEdited(all.filter(({ name, hash }) => hashes.has(name) && hashes.get(name) !== hash))
  return all.filter(({ name }) => !hashes.has(name))
}

/** @throws StartupProblem if the database responds but refuses the connection */
async function connected(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    if (failureOf(error) === 'unavailable') throw error
    throw new StartupProblem(`The database cannot be used: ${(error as Error).message}`)
  }
}

async function refuseOlderThan15(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>('show server_version_num')
  const version = Number(Object.values(rows[0] ?? {})[0])
  if (version < 150_000)
    throw new StartupProblem(`PostgreSQL 15 or newer is needed; this one is ${Math.floor(version / 10_000)}.`)
}

function refuseNewerSchema(applied: ReadonlyMap<string, unknown>, all: readonly Migration[]): void {
  const unknown = [...applied.keys()].filter((name) => !all.some((known) => known.name === name))
  if (unknown.length === 0) return
  if (!unknown.every((name) => /^[0-9]{4}_[a-z_]+\.sql$/.test(name)))
    throw new StartupProblem('The database belongs to another application. Give Taskwright its own database.')
  throw new StartupProblem(
    `The database was migrated by a newer Taskwright (${unknown.join(', ')}). Start that version, or restore a backup ` +
      'from before the upgrade: a version cannot undo the migrations of a newer one.',
  )
}

function refuseEdited(edited: readonly Migration[]): void {
  if (edited.length === 0) return
  throw new StartupProblem(
    `This database was migrated with another content of ${namesOf(edited)}: a released migration must not be edited. ` +
      'Restore the file, and put the change into a new migration.',
  )
}

function refuseOutdated(missing: readonly Migration[]): void {
  if (missing.length === 0) return
  throw new StartupProblem(
    `The database is read-only (a standby, or default_transaction_read_only), and its schema is older than this version ` +
      `(${namesOf(missing)}): run taskwright migrate on the primary.`,
  )
}

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name).join(', ')
