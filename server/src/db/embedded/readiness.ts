import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { plainClient } from '../pool/session.ts'
import { StartupProblem } from '../pool/startup-problem.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type Cluster, superuser } from './cluster.ts'
import { logFolder, quietOption } from './log.ts'
import { disownReusedPid, port, runningPostmaster } from './pid-file.ts'
import { type PostmasterFailure, type SpawnedPostmaster, socketDirectory, spawnPostmaster } from './postmaster.ts'

/** What node-postgres needs; the host is the directory of the Unix socket. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  options: string
}

/**
 * Returns once PostgreSQL answers on the cluster; starts a postmaster whenever there is none, waits while one starts,
 * recovers or stops. `adopted` tells whether somebody else's postmaster answered.
 * @throws StartupProblem
 */
export async function untilReady(
  cluster: Cluster,
  binaries: PostgresBinaries,
  say: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<{ connection: Connection; adopted: boolean }> {
  const beganMs = performance.now()
  let spawned: SpawnedPostmaster | undefined
  let told = false
  let pauseMs = 10
  for (;;) {
    const postmaster = await runningPostmaster(cluster.directory)
    const host = postmaster?.socketDirectory ?? (await socketDirectory(cluster))
    const connection = { host, port, user: superuser, database: superuser, options: quietOption }
    const answer = await ask(connection, cluster.directory).catch(undo)
    if (signal?.aborted) await undo(new StartupProblem(`Stopped (${signal.reason}) before PostgreSQL was ready.`))
    if (answer === 'ready') return { connection, adopted: !(await isRunning(spawned, cluster)) }

    const failure = await spawned?.failure()
    refuseGarbledLock(cluster, failure?.lastLines, performance.now() - beganMs)
    if (failure && !failure.busy) throw await unstartable(cluster, endOf(failure.signal), failure)
    if (performance.now() - beganMs > patienceMs)
      throw await unstartable(cluster, 'is not ready after a minute', failure)
    if (answer === 'silent' && !postmaster && (!spawned || spawned.ended())) {
      await disownReusedPid(cluster.directory, host)
      spawned = await spawnPostmaster(cluster, binaries, host)
    }
    if (!told && performance.now() - beganMs > 2000) {
      told = true
      say(`Waiting for PostgreSQL in ${cluster.directory}, which is recovering or being stopped.`)
    }
    await wait(pauseMs)
    pauseMs = Math.min(pauseMs * 1.2, 250)
  }

  async function undo(problem: unknown): Promise<never> {
    await spawned?.stop()
    throw problem
  }
}

/** @throws StartupProblem for a lock file without the number of a process, as a full disk or a power loss leaves it */
function refuseGarbledLock({ directory }: Cluster, lastLines = '', waitedMs: number): void {
  // bounded: by the last five lines that PostgreSQL wrote when it started
  const [, empty, bogus] =
    /FATAL: .*(?:lock file "(.+)" is empty|bogus data in lock file "([^"]+)")/.exec(lastLines) ?? []
  // one that starts makes the file before it writes its number
  const path = bogus ?? (waitedMs > emptyPatienceMs ? empty : undefined)
  if (path === undefined) return
  throw new StartupProblem(
    `PostgreSQL's lock file ${resolve(directory, path)} ${bogus ? 'holds no process number' : 'is empty'}, as a full disk or ` +
      'a power loss may leave it: make sure that no PostgreSQL runs on that directory, remove the file, then start again.',
  )
}

const emptyPatienceMs = 3_000

// asked once somebody has answered: what the lock file said before may be of an earlier one, or of nobody
async function isRunning(spawned: SpawnedPostmaster | undefined, { directory }: Cluster): Promise<boolean> {
  return spawned !== undefined && (await runningPostmaster(directory))?.pid === spawned.pid
}

const patienceMs = 60_000

/** @param what it does, or does not, in a few words */
async function unstartable(
  { directory }: Cluster,
  what: string,
  { lastLines, logged }: Partial<PostmasterFailure> = {},
): Promise<StartupProblem> {
  const folder = logged === false ? undefined : await logFolder(directory)
  const log = folder === undefined ? '' : `; see ${folder}`
  const end = !lastLines ? '.' : `${log === '' ? '. It said' : ', which ends in'}:\n${lastLines}`
  return new StartupProblem(`PostgreSQL in ${directory} ${what}${log}${end}`)
}

// by SIGABRT PostgreSQL ends itself, and its log says why
const endOf = (signal: NodeJS.Signals | undefined) =>
  signal === undefined || signal === 'SIGABRT' ? 'does not start' : `was ended by ${signal}`

// silent: nobody there; busy: starting, recovering or stopping
async function ask(connection: Connection, directory: string): Promise<'ready' | 'busy' | 'silent'> {
  const session = client(connection)
  let answering: string | undefined
  try {
    await session.connect()
    const { rows } = await session.query<{ directory: string }>("select current_setting('data_directory') as directory")
    answering = rows[0]?.directory
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return 'silent'
    if (notNow.has(error.code)) return 'busy'
    if (error.code === '3D000') {
      throw new StartupProblem(
        `The PostgreSQL in ${directory} has no database ${superuser}, as when a first start was cut short: ` +
          'if nothing was ever stored there, remove that directory and start again; else put back a copy.',
      )
    }
    throw new StartupProblem(`PostgreSQL in ${directory} does not let Taskwright in: ${error.message}.`)
  } finally {
    await session.end().catch(() => {})
  }
  if (answering === directory) return 'ready'
  throw new StartupProblem(
    `The PostgreSQL that answers in ${connection.host} runs on ${answering}: stop it, then start Taskwright again.`,
  )
}

// admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
const notNow = new Set<string | undefined>(['57P01', '57P02', '57P03', '53300'])

/** A connection of its own, not yet connected. */
export function client(connection: Connection): pg.Client {
  const patience = { connectionTimeoutMillis: 5000, query_timeout: 10_000 }
  return plainClient({ ...connection, ...patience, ssl: false }, 'taskwright-embedded')
}
