import { readdir } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type pg from 'pg'
import { type Config, ConfigProblem } from '../config.ts'
import { clusterExists } from '../db/embedded/cluster.ts'
import { lockForServer, openEmbeddedPostgres, stopIfUnused } from '../db/embedded/embedded.ts'
import { secretKeyFileIn } from '../db/embedded/secret-key.ts'

/** The location of the data, and how to close it. */
export interface Store {
  connection: pg.ClientConfig
  /** the file with the key that seals secrets, if SECRET_KEY is not set; only beside an embedded database */
  secretKeyFile?: string
  /** releases it; an embedded PostgreSQL is stopped unless a server still needs it */
  close(): Promise<void>
  /** stops the embedded PostgreSQL of a server at once; it recovers at its next start */
  closeNow(): Promise<void>
}

/**
 * Refuses a key without its database: the database was lost, or is mounted elsewhere. A new database would hide that from an
 * operator who only checks that the server runs.
 * @throws ConfigProblem
 */
export async function refuseLostDatabase(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((): string[] => [])
  if (!names.includes(basename(secretKeyFileIn(dataDir)))) return
  if (await clusterExists(dataDir)) return
  const file = secretKeyFileIn(resolve(dataDir))
  throw new ConfigProblem(
    `There is a key in ${file}, but no database beside it, so the old database is missing: put it back, or restore ` +
      `a backup. To start with an empty one, move the key away: mv ${file} ${file}-before.`,
  )
}

/**
 * Opens the PostgreSQL of DATABASE_URL, or else the embedded one in DATA_DIR.
 * @param use a server takes the embedded one for itself; a command shares it with a running server. Only a restore creates one
 * beside a key
 * @param signal stops the wait for the embedded one
 * @throws StartupProblem in a plain sentence
 */
export async function openStore(
  config: Config,
  use: 'server' | 'command' | 'restore',
  say: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    return { connection: { connectionString: config.databaseUrl }, close: async () => {}, closeNow: async () => {} }
  }
  if (use !== 'restore') await refuseLostDatabase(config.dataDir)
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, say, signal })
  // a Unix socket needs no TLS, even if PGSSLMODE asks for it
  const connection = { ...embedded.connection, ssl: false }
  if (use !== 'server') {
    // a server may need it
    const close = () => stopIfUnused(embedded)
    return { connection, secretKeyFile: embedded.secretKeyFile, close, closeNow: close }
  }
  const serverLock = await lockForServer(embedded)
  return {
    connection,
    secretKeyFile: embedded.secretKeyFile,
    async close() {
      await serverLock.release()
      await embedded.stop()
    },
    closeNow: () => embedded.stop('immediate'),
  }
}
