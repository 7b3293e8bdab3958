import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { openEmbeddedPostgres } from '../embedded/embedded.ts'
import { migrate } from '../migrations/migrate.ts'
import type { Digest } from './contents.ts'
import { ArchiveProblem } from './problem.ts'
import type { Archive, OnProgress } from './reading.ts'
import { restore } from './restore.ts'
import { inSnapshot } from './snapshot.ts'
import { partsOf, tableDigest } from './table-text.ts'
import type { ArchivedTable } from './tables.ts'

interface VerifyOptions {
  /** the folder for the temporary database */
  folder?: string
  say?: (sentence: string) => void
  told?: OnProgress
  signal?: AbortSignal | undefined
}

/**
 * Restores an archive into a temporary embedded PostgreSQL, reads all rows again and compares them. Then it migrates that
 * database, as a server that starts on it would.
 * @throws ArchiveProblem if the rows differ
 */
export async function verify(archive: Archive, options: VerifyOptions = {}): Promise<void> {
  const { folder = tmpdir(), say = () => {}, signal } = options
  const dataDir = await mkdtemp(join(folder, 'taskwright-verify-'))
  try {
    // if this process is root, PostgreSQL runs as another account
    await chmod(dataDir, 0o755)
    const embedded = await openEmbeddedPostgres({ dataDir, say, signal })
    const connection = { ...embedded.connection, ssl: false }
    try {
      await restore(connection, archive, { ...options, unchanged: true, upToDate: false })
      say('Comparing …')
      const found = await digestsOf(connection, archive.contents.tables, signal)
      const wrong = archive.contents.tables.filter(({ name }) => !isSame(found[name], archive.checksums.tables[name]))
      if (wrong.length > 0)
        throw new ArchiveProblem(
          `The data restored from ${archive.file} differs from the backup in ${wrong.map(({ name }) => name).join(', ')}.`,
        )
      await migrate(connection, undefined, { say, signal })
    } finally {
      await embedded.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The digests of the rows of these tables, or of all. Equal rows have the same digest on every PostgreSQL. */
export const digestsOf = (
  connection: pg.ClientConfig,
  tables?: readonly ArchivedTable[],
  signal?: AbortSignal,
): Promise<Record<string, Digest>> =>
  inSnapshot(
    connection,
    async (client, all) => {
      const digests: Record<string, Digest> = {}
      for (const table of tables ?? all) {
        const digest = tableDigest()
        for await (const part of partsOf(client, table)) digest.add(part)
        digests[table.name] = digest.digest()
      }
      return digests
    },
    { signal },
  )

const isSame = (one: Digest | undefined, other: Digest | undefined) =>
  one !== undefined && one.sha256 === other?.sha256 && one.rows === other.rows
