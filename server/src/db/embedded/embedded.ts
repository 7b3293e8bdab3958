import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { StartupProblem } from '../pool/startup-problem.ts'
import { ownAccount } from './account.ts'
import { usableBinaries } from './binaries.ts'
import { clusterIn } from './cluster.ts'
import { ensureCluster } from './initdb.ts'
import { type Connection, client, stopPostmaster, untilReady } from './postmaster.ts'
import { secretKeyFileIn } from './secret-key.ts'

/** The running PostgreSQL that comes with Taskwright. */
export interface EmbeddedPostgres {
  connection: Connection
  /** PGDATA; in the fallback if root's PostgreSQL could not enter the requested directory */
  directory: string
  /** the file with the key that seals secrets in this database; it may be missing */
  secretKeyFile: string
  /** whether the postmaster was already running, so this process did not start it */
  adopted: boolean
  /** starts a postmaster that has ended; @returns false after `stop` was called */
  ensureRunning(): Promise<boolean>
  /** fast shutdown, or one that leaves recovery to the next start; resolves when the postmaster, adopted or not, is gone */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
}

/**
 * Opens the cluster in `<dataDir>/postgres`. It creates a missing cluster. It adopts the postmaster that a killed server left
 * behind, or starts one. Several processes may do so at the same time.
 * @param signal gives up waiting for PostgreSQL, and stops a postmaster that it has started
 * @param fallbackBase directory for root's files if PostgreSQL, as `nobody`, cannot enter their place
 * @throws StartupProblem
 */
export async function openEmbeddedPostgres({
  dataDir,
  say,
  fallbackBase = '/var/lib/taskwright',
  signal,
}: {
  dataDir: string
  say: (sentence: string) => void
  fallbackBase?: string
  signal?: AbortSignal | undefined
}): Promise<EmbeddedPostgres> {
  const cluster = await clusterIn(resolve(dataDir), fallbackBase, say)
  const copiesIn = ownAccount().uid === 0 ? fallbackBase : cluster.dataDir
  const binaries = await usableBinaries(cluster.account, copiesIn, say)
  await ensureCluster(cluster, binaries)
  let stopped = false
  const { connection, adopted } = await untilReady(cluster, binaries, say, signal)
  return {
    connection,
    directory: cluster.directory,
    secretKeyFile: secretKeyFileIn(cluster.dataDir),
    adopted,
    async ensureRunning() {
      if (stopped) return false
      const { adopted: neverGone } = await untilReady(cluster, binaries, say)
      if (!neverGone) say(`PostgreSQL in ${cluster.directory} had stopped and was started again.`)
      return true
    },
    async stop(mode) {
      stopped = true
      await stopPostmaster(cluster, binaries, mode)
    },
  }
}

/**
 * Locks the directory for the one running server, by a session advisory lock that ends with its holder. If PostgreSQL ends
 * unexpectedly, it starts it and takes the lock again. Release before `stop`.
 * @throws StartupProblem if another running server holds the lock
 */
export async function lockForServer(embedded: EmbeddedPostgres): Promise<{ release(): Promise<void> }> {
  let released = false
  let session = await lockedSession(embedded)
  watch()
  return {
    async release() {
      released = true
      // unlock explicitly, as PostgreSQL may notice the end of the session a little later
      await session.query('select pg_advisory_unlock($1)', [serverLockNumber]).catch(() => {})
      await session.end()
    },
  }

  function watch() {
    session.once('end', () => void lockAgain())
  }

  async function lockAgain() {
    while (!released) {
      try {
        if (!(await embedded.ensureRunning())) return
        session = await lockedSession(embedded)
        if (released) return await session.end()
        return watch()
      } catch {
        await wait(1000, undefined, { ref: false })
      }
    }
  }
}

/**
 * Stops PostgreSQL after a command, whose own connections are closed. It does not if a running server holds the lock, or if
 * others are still connected; the last of them stops it.
 */
export async function stopIfUnused(embedded: EmbeddedPostgres): Promise<void> {
  const session = client(embedded.connection)
  // take the lock instead of only checking it, so that no server starts in between
  const mayStop = await session
    .connect()
    .then(async () => (await takesServerLock(session)) && (await isAlone(session)))
    .catch(() => false)
  if (mayStop) await embedded.stop()
  await session.end().catch(() => {})
}

async function lockedSession(embedded: EmbeddedPostgres): Promise<pg.Client> {
  let refusedMs: number | undefined
  for (;;) {
    // a command may just have stopped it
    await embedded.ensureRunning()
    const session = client(embedded.connection)
    const held = await session.connect().then(
      () => takesServerLock(session),
      () => false,
    )
    if (held) return session
    await session.end().catch(() => {})
    // count from here, as the start may have taken long
    refusedMs ??= performance.now()
    if (performance.now() - refusedMs > lockTimeoutMs) {
      throw new StartupProblem(
        `Another Taskwright server is running on ${embedded.directory}: stop it first, or give this one another DATA_DIR.`,
      )
    }
    await wait(50)
  }
}

// the backend of a killed server or of a closed connection needs a moment to notice
const lockTimeoutMs = 3000

const serverLockNumber = 7_265_100_002

async function takesServerLock(session: pg.Client): Promise<boolean> {
  try {
    const { rows } = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      serverLockNumber,
    ])
    return rows[0]?.held ?? false
  } catch {
    return false
  }
}

// connections that were just closed need a moment to end
async function isAlone(session: pg.Client): Promise<boolean> {
  const beganMs = performance.now()
  for (;;) {
    const { rows } = await session.query<{ others: boolean }>(
      `select exists (
         select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
       ) as others`,
    )
    if (rows[0]?.others === false) return true
    if (performance.now() - beganMs > lockTimeoutMs) return false
    await wait(20)
  }
}
