import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, mkdir, open, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { ownAccount, startedAs } from './account.ts'
import { configureAuthentication } from './authentication.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { endOfLog, logSettings, pruneLog } from './log.ts'
import { isAlive, ownership, port, runningPostmaster } from './pid-file.ts'

/** A postmaster that this process spawned; it outlives this process unless stopped. */
export interface SpawnedPostmaster {
  pid: number | undefined
  /** whether it has ended, in whatever way */
  ended(): boolean
  /** why it ended in failure; `busy` when only because another one still has the directory */
  failure(): Promise<PostmasterFailure | undefined>
  /** ends it however far it came: its lock file may not name it yet; resolves when it is gone */
  stop(): Promise<void>
}

export interface PostmasterFailure {
  busy: boolean
  /** the end of what it said */
  lastLines: string
  /** whether that stands in its log */
  logged: boolean
  /** by which it was ended */
  signal?: NodeJS.Signals | undefined
}

/** Spawns a postmaster in a process group of its own, so that Ctrl-C on the server does not reach it. */
export async function spawnPostmaster(
  cluster: Cluster,
  { bin }: PostgresBinaries,
  socketDirectory: string,
): Promise<SpawnedPostmaster> {
  const { dataDir, directory, account } = cluster
  await Promise.all(formerLogs.map((name) => rm(join(dataDir, name), { force: true })))
  await pruneLog(cluster)
  await configureAuthentication(cluster)
  const flags = Object.entries(settings(socketDirectory)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(bin, 'postgres'), ['-D', directory, ...flags], {
    ...startedAs(account),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...keptMemory },
  })
  child.unref()
  let spawnError: Error | undefined
  child.on('error', (error) => {
    spawnError = error
  })
  // what it says before its log begins; from then on it has let go of this
  let early = ''
  child.stderr.on('data', (said) => {
    early += said
  })
  const silent = once(child.stderr, 'close')
  if (child.stderr instanceof Socket) child.stderr.unref()
  const ended = () => spawnError !== undefined || child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid,
    ended,
    async failure() {
      if (!ended() || child.exitCode === 0) return undefined
      if (spawnError) return { busy: false, lastLines: spawnError.message, logged: false }
      await silent
      const said = early.trim().split('\n')
      const logged = said.some((line) => line.includes(logBegins))
      const lines = logged ? await endOfLog(directory) : said
      const signal = child.signalCode ?? undefined
      return { busy: lostToAnother(said, child), lastLines: lines.slice(-8).join('\n'), logged, signal }
    },
    async stop() {
      for (const name of ['SIGINT', 'SIGQUIT'] as const) {
        if (!ended()) child.kill(name)
        for (let waitedMs = 0; !ended() && waitedMs < closeTimeoutMs; waitedMs += 10) await wait(10)
      }
    },
  }
}

const closeTimeoutMs = 5_000

const logBegins = 'redirecting log output to logging collector process'

// one file that was never begun anew, in which stood what customers wrote
const formerLogs = ['postgres.log', 'postgres.log.1']

// glibc gives what an answer of 35 kB took back to the system, and asks for it again with the next one, which is half of
// PostgreSQL's work on a page: up to 8 MB of it stay with each connection instead
const keptMemory = { MALLOC_TRIM_THRESHOLD_: '8388608', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TOP_PAD_: '1048576' }

/**
 * Fast shutdown: open transactions are rolled back, everything committed is on disk. At once: the same after the recovery
 * that the next start makes. Returns once it is gone.
 */
export async function stopPostmaster(directory: string, how?: 'at once'): Promise<void> {
  const postmaster = await runningPostmaster(directory)
  if (!postmaster) return
  if (how !== 'at once') {
    signal(postmaster.pid, 'SIGINT')
    if (await vanished(postmaster.pid, directory, 30_000)) return
  }
  signal(postmaster.pid, 'SIGQUIT')
  if (await vanished(postmaster.pid, directory, 15_000)) return
  throw new Error(`PostgreSQL (process ${postmaster.pid}) in ${directory} does not stop`)
}

/**
 * The directory of the Unix socket: PGDATA itself, or, when that path is too long for a socket, a private directory
 * named after it.
 */
export async function socketDirectory({ directory, account }: Cluster): Promise<string> {
  if (fitsSocket(directory)) return directory
  const name = `taskwright-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`
  const path = [tmpdir(), '/tmp'].map((base) => join(base, name)).find(fitsSocket) ?? join('/tmp', name)
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw pathProblem(path, error)
  })
  // others may write beside it, so what is looked at is what is changed
  const folder = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY).catch(
    () => undefined,
  )
  const found = await folder?.stat()
  if (!folder || !found || ![account.uid, ownAccount().uid].includes(found.uid)) {
    await folder?.close()
    throw new StartupProblem(
      `PostgreSQL's socket directory ${path} belongs to somebody else: remove it, then start again.`,
    )
  }
  if (found.mode & 0o077) await folder.chmod(0o700)
  if (found.uid !== account.uid) await folder.chown(account.uid, account.gid)
  await folder.close()
  return path
}

// for sun_path, with its final zero byte
function fitsSocket(directory: string): boolean {
  const limitBytes = process.platform === 'darwin' ? 103 : 107
  return Buffer.byteLength(join(directory, `.s.PGSQL.${port}`)) <= limitBytes
}

function settings(socketDirectory: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(port),
    // a list, in which quotes keep commas and blanks
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: '128MB',
    // where the kernel reserves some and does not hand them out, PostgreSQL ends by SIGBUS
    huge_pages: 'off',
    // 64 workers with five each, and commands beside them
    max_connections: '350',
    // one organization may hold thousands of them
    max_locks_per_transaction: '128',
    timezone: 'UTC',
    ...logSettings,
  }
}

// bounded: by the lines that PostgreSQL writes when it starts
const lost =
  /FATAL: .*(lock file ".*" (already exists|is empty)|could not remove old lock file .*: No such file|shared memory block .* still in use)/

// a lock file that another one has, has just made or has just removed, or backends of a killed postmaster that are still
// going away
function lostToAnother(logged: string[], child: ChildProcess): boolean {
  const own = logged.filter((line) => line.includes(`[${child.pid}]`))
  return own.some((line) => lost.test(line))
}

async function vanished(pid: number, directory: string, timeoutMs: number): Promise<boolean> {
  const beganMs = performance.now()
  while (performance.now() - beganMs < timeoutMs) {
    if (!isAlive(pid) || (await ownership(pid, directory)) === 'foreign') return true
    await wait(10)
  }
  return false
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
