import { Socket } from 'node:net'
import type pg from 'pg'
import { nilId } from '../ids.ts'
import { migrate } from '../migrations/migrate.ts'
import { allMigrations } from '../migrations/released.ts'
import { setOwnSession } from '../pool/poolers.ts'
import { plainClient, sessionSettings } from '../pool/session.ts'
import { type Loading, loadBeside, loadIntoEmpty, ofOperator } from './load.ts'
import { claimTarget, contentsOfTarget, occupied } from './place.ts'
import { ArchiveProblem } from './problem.ts'
import type { Archive, OnProgress } from './reading.ts'
import { tablesOf } from './tables.ts'

interface RestoreOptions {
  /** only this organization of the archive */
  orgId?: string | undefined
  /** whether to leave every row as it is in the archive, for a comparison, also the links to persons who are not there */
  unchanged?: boolean
  /** whether to apply the migrations that are newer than the archive */
  upToDate?: boolean
  /** of the key by which servers here seal secrets, if it is known */
  keyFingerprint?: string | undefined
  say?: (sentence: string) => void
  told?: OnProgress
  signal?: AbortSignal | undefined
}

interface RestoreResult {
  rows: number
  /** the names of migrations that are newer than the archive */
  applied: string[]
}

/**
 * Restores a checked archive into an empty database, or one organization into a database that does not have it. One commit
 * brings all of it. Until then no server starts on a database that was empty.
 * @throws ArchiveProblem in a plain sentence
 */
export async function restore(
  connection: pg.ClientConfig,
  archive: Archive,
  {
    orgId,
    unchanged = false,
    upToDate = true,
    keyFingerprint,
    say = () => {},
    told = () => {},
    signal,
  }: RestoreOptions = {},
): Promise<RestoreResult> {
  await refuseUnknownMigrations(archive)
  const wanted = orgId ?? archive.contents.organization?.id
  if (wanted === nilId) throw ofOperator(archive.file)
  signal?.throwIfAborted()
  const breakable = { ...connection, stream: () => new Socket({ signal }) }
  const loading: Loading = { orgId: wanted, keyFingerprint, unchanged, say, told }
  const client = plainClient(breakable, 'taskwright-restore')
  try {
    await client.connect()
    await setOwnSession(client, connection, sessionSettings.plain)
    await refuseSecond(client)
    if ((await contentsOfTarget(client)) === 'organizations') {
      if (wanted === undefined) throw occupied()
      await refuseUnfit(client, archive, wanted)
      const rows = await loadBeside(breakable, archive, loading, wanted)
      return { rows, applied: [] }
    }
    await claimTarget(client, say)
    let rows = 0
    const load = async () => {
      await refuseOtherTables(client, archive)
      rows = await loadIntoEmpty(breakable, archive, loading)
    }
    const restoring = archive.contents.migrations.map(({ name }) => name)
    await migrate(connection, load, { say, signal, restoring })
    return { rows, applied: upToDate ? await migrate(connection, undefined, { say, signal }) : [] }
  } finally {
    await client.end()
  }
}

async function refuseUnknownMigrations({ file, contents }: Archive): Promise<void> {
  const known = new Map((await allMigrations()).map(({ name, hash }) => [name, hash]))
  const unknown = contents.migrations.filter(({ name }) => !known.has(name))
  if (unknown.length > 0)
    throw new ArchiveProblem(
      `${file} was made by a newer Taskwright (${contents.taskwright}; ${unknown.map(({ name }) => name).join(', ')}): ` +
        'restore it with that version.',
    )
  const edited = contents.migrations.filter(({ name, hash }) => known.get(name) !== hash)
  if (edited.length > 0)
    throw new ArchiveProblem(
      `${file} has other tables than this version makes of ${edited.map(({ name }) => name).join(', ')}.`,
    )
}

// an arbitrary number, the same in every process
const restoringLock = 7_265_100_004

async function refuseSecond(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${restoringLock}) as held`)
  if (!rows[0]?.held) throw new ArchiveProblem('Another restore into this database is running.')
}

/** An archive may come from a stranger, and the embedded account can write into the tables of PostgreSQL itself. */
async function refuseOtherTables(client: pg.Client, { file, contents }: Archive): Promise<void> {
  const there = new Map((await tablesOf(client)).map(({ name, columns }) => [name, columns.toSorted().join()]))
  const other = contents.tables.find(({ name, columns }) => there.get(name) !== columns.toSorted().join())
  if (other) throw new ArchiveProblem(`${file} has a table ${other.name} that no Taskwright has. Nothing was restored.`)
}

/** Allows an organization beside others only if the tables are the same and the organization is not there. */
async function refuseUnfit(client: pg.Client, archive: Archive, orgId: string): Promise<void> {
  const { contents } = archive
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  const [theirs, own] = [contents.migrations, rows].map((some) => some.map(({ name }) => name).join())
  if (theirs !== own)
    throw new ArchiveProblem(
      'Into a database with other organizations only an archive of the same version can be restored: restore it into an ' +
        'empty one, which brings it up to date, back the organization up there, and restore that.',
    )
  await refuseOtherTables(client, archive)
  for (const { name, columns } of contents.tables) {
    if (!columns.includes('org_id')) continue
    const { rows: held } = await client.query(`select from ${name} where org_id = $1 limit 1`, [orgId])
    if (held.length > 0)
      throw new ArchiveProblem(`The organization ${orgId} exists already (${name}), so nothing was restored.`)
  }
}
