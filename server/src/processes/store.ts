import type pg from 'pg'
import type { Config } from '../config.ts'
import { lockForServer, openEmbeddedPostgres, stopIfUnused } from '../db/embedded/embedded.ts'

/** Where the data lives, and how to leave it. */
export interface Store {
  connection: pg.ClientConfig
  /** leaves it as it should be left: an embedded PostgreSQL is stopped unless a server still needs it */
  close(): Promise<void>
  /** stops an embedded PostgreSQL of a server without waiting for anybody; it recovers at its next start */
  closeNow(): Promise<void>
}

/**
 * Opens the PostgreSQL of DATABASE_URL, or else the embedded one in DATA_DIR.
 * @param use a server claims the embedded one for itself; a command shares it with a server that runs
 * @param signal gives up waiting for it
 * @throws StartupProblem in a plain sentence
 */
export async function openStore(
  config: Config,
  use: 'server' | 'command',
  say: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    return { connection: { connectionString: config.databaseUrl }, close: async () => {}, closeNow: async () => {} }
  }
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, say, signal })
  // whatever PGSSLMODE says: a Unix socket needs no TLS
  const connection = { ...embedded.connection, ssl: false }
  if (use === 'command') {
    // a server may need it
    return { connection, close: () => stopIfUnused(embedded), closeNow: () => stopIfUnused(embedded) }
  }
  const serverLock = await lockForServer(embedded)
  return {
    connection,
    async close() {
      await serverLock.release()
      await embedded.stop()
    },
    closeNow: () => embedded.stop('at once'),
  }
}
