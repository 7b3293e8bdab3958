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

/** The PostgreSQL that Taskwright brings along, running. */
export interface EmbeddedPostgres {
  connection: Connection
  /** PGDATA; elsewhere than wanted when root's PostgreSQL could not enter the wanted directory */
  directory: string
  /** the key by which secrets in it are sealed: a file, which may be missing */
  secretKeyFile: string
  /** false when this process started the postmaster, true when it found one running */
  adopted: boolean
  /** brings a postmaster back that has ended; @returns false once `stop` was called */
  ensureRunning(): Promise<boolean>
  /** fast shutdown, or one that leaves recovery to the next start; resolves when the postmaster, adopted or not, is gone */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
}

/**
 * Opens the cluster in `<dataDir>/postgres`: makes it when there is none, adopts the postmaster that a killed server left
 * behind, or starts one. Several processes may do so at once.
 * @param signal gives up waiting for PostgreSQL, and stops what was begun
 * @param fallbackBase where root's files go when PostgreSQL, as `nobody`, cannot enter their place
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
      if (!neverGone) say(`PostgreSQL in ${cluster.directory} had ended and was started again.`)
      return true
    },
    async stop(mode) {
      stopped = true
      await stopPostmaster(cluster, binaries, mode)
    },
  }
}

/**
 * Locks the directory for the one live server, by a session advisory lock, which ends with its holder. When PostgreSQL
 * itself is lost, it is brought back and locked again. Release before `stop`.
 * @throws StartupProblem when another live server holds the lock
 */
export async function lockForServer(embedded: EmbeddedPostgres): Promise<{ release(): Promise<void> }> {
  let released = false
  let session = await lockedSession(embedded)
  watch()
  return {
    async release() {
      released = true
      // given back rather than left to the end of the session, which PostgreSQL may notice a moment later
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
 * For a command that is done with the database, its own connections closed: stops PostgreSQL unless a live server holds
 * the lock or others are still connected, of whom the last one stops it.
 */
export async function stopIfUnused(embedded: EmbeddedPostgres): Promise<void> {
  const session = client(embedded.connection)
  // taken, not only looked at, so that no server comes in between
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
    // to start it may have taken long
    refusedMs ??= performance.now()
    if (performance.now() - refusedMs > lockTimeoutMs) {
      throw new StartupProblem(
        `Another Taskwright server is running on ${embedded.directory}: stop it first, or give this one another DATA_DIR.`,
      )
    }
    await wait(50)
  }
}

// the backend of a killed server, or of a connection that was closed, needs a moment to notice
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

// connections that were just closed need a moment to go
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
