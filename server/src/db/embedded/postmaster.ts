import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { plainClient } from '../pool/session.ts'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { runAsAccount, startedAs } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type Cluster, superuser } from './cluster.ts'
import { isDiskFull } from './initdb.ts'
import { disownReusedPid } from './pid-file.ts'
import { port, socketDirectory } from './socket.ts'

/** The connection settings for node-postgres; the host is the directory of the Unix socket. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  options: string
}

/**
 * Returns when PostgreSQL accepts connections to the cluster. It starts PostgreSQL if none runs, and waits while one starts,
 * recovers or stops. `adopted` is true if somebody else started it.
 * @throws StartupProblem
 */
export async function untilReady(
  cluster: Cluster,
  binaries: PostgresBinaries,
  say: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<{ connection: Connection; adopted: boolean }> {
  const { directory } = cluster
  // the sender of a failing statement gets the error, which may quote customers: keep it out of the log
  const options = '-c log_min_messages=fatal'
  const connection = { host: await socketDirectory(cluster), port, user: superuser, database: superuser, options }
  const beganMs = performance.now()
  const waitedMs = () => performance.now() - beganMs
  const sentence = `Waiting for PostgreSQL in ${directory}, which is recovering or stopping.`
  const patience = setTimeout(say, 2_000, sentence)
  let started = false
  try {
    for (;;) {
      const state = await stateOf(connection)
      if (state === 'ready') return { connection, adopted: !started }
      if (state === 'absent') {
        const problem = await startPostmaster(cluster, binaries, connection.host, signal)
        started = problem === undefined || signal?.aborted === true
        if (problem && !started && waitedMs() >= contendedForMs(problem.message)) throw problem
      }
      if (signal?.aborted) throw new StartupProblem(`Stopped (${signal.reason}) before PostgreSQL was ready.`)
      if (waitedMs() > patienceMs) throw new StartupProblem(`PostgreSQL in ${directory} is not ready after a minute.`)
      await wait(20)
    }
  } catch (error) {
    if (started) await stopPostmaster(cluster, binaries)
    throw error
  } finally {
    clearTimeout(patience)
  }
}

const patienceMs = 60_000

// another start holds the lock file, or has just created or removed it, or backends of a killed postmaster are ending
const isContended = (said: string) => /PID file|lock file|another server might be running|is still in use/.test(said)

// a postmaster creates its lock file a moment before it writes its number
const contendedForMs = (said: string) =>
  /is empty|invalid data/.test(said) ? 5_000 : isContended(said) ? patienceMs : 0

/** A separate connection, not yet connected. */
export function client(connection: Connection): pg.Client {
  const patience = { connectionTimeoutMillis: 5000, query_timeout: 10_000 }
  return plainClient({ ...connection, ...patience, ssl: false }, 'taskwright-embedded')
}

// busy: starting, recovering or stopping
async function stateOf(connection: Connection): Promise<'ready' | 'busy' | 'absent'> {
  const session = client(connection)
  try {
    await session.connect()
    return 'ready'
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return 'absent'
    if (notNow.has(error.code)) return 'busy'
    if (error.code === '3D000' && connection.database === superuser) {
      await makeDatabase(connection)
      return 'busy'
    }
    throw new StartupProblem(`The PostgreSQL in ${connection.host} refuses the connection: ${error.message}.`)
  } finally {
    await session.end().catch(() => {})
  }
}

// admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
const notNow = new Set<string | undefined>(['57P01', '57P02', '57P03', '53300'])

async function makeDatabase(connection: Connection): Promise<void> {
  const session = client({ ...connection, database: 'postgres' })
  try {
    await session.connect()
    await session.query(`create database ${superuser}`)
  } catch (error) {
    const { message, code } = error as pg.DatabaseError
    if (isDiskFull(message)) throw pathProblem(connection.host, { code: 'ENOSPC' })
    // another start created it at the same time
    if (code !== '42P04' && code !== '23505') throw error
  } finally {
    await session.end().catch(() => {})
  }
}

/** Starts PostgreSQL in its own session, which Ctrl-C does not reach. Returns when it is ready, or the reason why it is not. */
async function startPostmaster(
  cluster: Cluster,
  { bin }: PostgresBinaries,
  socketDirectory: string,
  signal?: AbortSignal,
): Promise<StartupProblem | undefined> {
  const { directory, account } = cluster
  // PostgreSQL writes here before it opens its log; one file per start, as others may start it at the same time
  const earlyLog = `log/postgresql-start-${randomUUID()}.log`
  await disownReusedPid(directory, socketDirectory)
  try {
    await runAsAccount(account, prepare, [directory, ...(await oldLogsIn(directory))])
    // a relative path below PGDATA, as the path of PGDATA may contain blanks and quotes
    const socket = socketDirectory === directory ? '.' : socketDirectory
    const all = { ...settings, unix_socket_directories: socket }
    const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
    const words = ['start', '--timeout=60', `--log=${earlyLog}`, `--options=${options.join(' ')}`]
    await runPgCtl(cluster, bin, words, signal)
    return undefined
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const early = await runAsAccount(account, 'cat "$0/$1"', [directory, earlyLog]).catch(() => '')
    const log = early.includes('log output to logging collector') ? await endOfLog(cluster) : undefined
    const said = `${early}${stderr ?? message}`.trim()
    if (isDiskFull(log ?? said)) return pathProblem(directory, { code: 'ENOSPC' })
    const end = log === undefined ? `. It said:\n${said}` : `; see ${directory}/log, which ends in:\n${log.trim()}`
    const remedy = isContended(said) ? `\n${lockRemedy}` : ''
    return new StartupProblem(`PostgreSQL in ${directory} does not start${end}${remedy}`)
  } finally {
    await runAsAccount(account, 'rm -f "$0/$1"', [directory, earlyLog]).catch(() => {})
  }
}

const lockRemedy = 'Make sure that no PostgreSQL runs on that directory, remove the lock file, then start again.'

/** Log files from before the last week, as paths below PGDATA. PostgreSQL would append to them. */
async function oldLogsIn(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'log')).catch(() => [])
  const logs = names.filter((name) => name.startsWith('postgresql-')).map((name) => `log/${name}`)
  // another start may remove its early log in the meantime
  const found = await Promise.all(logs.map((log) => lstat(join(directory, log)).catch(() => undefined)))
  return logs.filter((_, i) => (found[i]?.mtimeMs ?? Date.now()) < Date.now() - 6 * 86_400_000)
}

// the directory is private, so everyone who can connect may do so
const prepare = `set -e
  cd "$0"
  chmod 700 .
  umask 077
  mkdir -p log
  printf 'local all all trust\nlocal replication all trust\n' > pg_hba.conf
  [ $# = 0 ] || rm -f "$@"`

const endOfLog = ({ directory, account }: Cluster) =>
  runAsAccount(account, 'cd "$0/log" && tail -n 8 "$(ls -t postgresql-???.log | head -n 1)"', [directory]).catch(
    () => '',
  )

/**
 * Stops PostgreSQL and returns when it is gone. Fast: open transactions are rolled back, and everything committed is on disk.
 * Immediate: the next start recovers.
 */
export async function stopPostmaster(
  cluster: Cluster,
  binaries: PostgresBinaries,
  mode: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  const seconds = mode === 'fast' ? 30 : 15
  try {
    await runPgCtl(cluster, binaries.bin, ['stop', `--mode=${mode}`, `--timeout=${seconds}`])
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    if (/does not exist|is not running|No such process/.test(stderr)) return
    if (mode === 'fast') return stopPostmaster(cluster, binaries, 'immediate')
    throw new Error(`PostgreSQL in ${cluster.directory} does not stop: ${stderr}`)
  }
}

/** @throws Error with the output of the program */
async function runPgCtl({ directory, account }: Cluster, bin: string, words: string[], signal?: AbortSignal) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PGDATA: directory, ...keptMemory }
  // on SIGINT pg_ctl undoes the start
  const options = { ...startedAs(account), cwd: directory, env, signal, killSignal: 'SIGINT' as const }
  await promisify(execFile)(join(bin, 'pg_ctl'), [...words, '--silent', '--wait'], options)
}

// glibc returns the memory of a 35 kB result to the system and requests it again for the next one. That is half of PostgreSQL's
// work on a page, so up to 8 MB stay with each connection instead
const keptMemory = { MALLOC_TRIM_THRESHOLD_: '8388608', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TOP_PAD_: '1048576' }

const settings: Record<string, string> = {
  listen_addresses: "''",
  port: String(port),
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  // if the kernel reserves huge pages but does not provide them, PostgreSQL ends by SIGBUS
  huge_pages: 'off',
  // 64 workers with five each, and commands beside them
  max_connections: '350',
  // one organization may hold thousands of them
  max_locks_per_transaction: '128',
  timezone: 'UTC',
  // one file for each day of the week, overwritten a week later
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_size: '0',
  log_timezone: 'UTC',
  // keep customer data out of the log: it is in details and statements
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}
