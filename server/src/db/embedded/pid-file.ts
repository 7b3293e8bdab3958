import { execFile } from 'node:child_process'
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { openNoFollow, readNoFollow, textOf } from './no-follow.ts'

/** The main process of a running PostgreSQL. */
interface Postmaster {
  pid: number
  socketDirectory: string
}

/** PostgreSQL names its socket after a port; nothing ever listens on it. */
export const port = 5432

/** The live postmaster of the directory, whoever started it. */
export async function runningPostmaster(directory: string): Promise<Postmaster | undefined> {
  const [pid, , , , socketDirectory] = await linesOf(join(directory, 'postmaster.pid'))
  if (!pid || !socketDirectory) return undefined
  return (await ownership(Number(pid), directory)) === 'ours' ? { pid: Number(pid), socketDirectory } : undefined
}

/**
 * After a power loss the pid in PostgreSQL's lock files may meanwhile be another program's (in a container it often is),
 * for which PostgreSQL would refuse to start. Puts an impossible pid there. Into the very file that was judged: a newer
 * one, which a twin's postmaster has put in its place, is not touched; and PostgreSQL still checks the shared memory
 * that the file names.
 */
export async function disownReusedPid(directory: string, socketDirectory: string): Promise<void> {
  for (const path of [join(directory, 'postmaster.pid'), join(socketDirectory, `.s.PGSQL.${port}.lock`)]) {
    const file = await openNoFollow(path, 'readWrite')
    if (!file) continue
    try {
      const [pid = '', ...rest] = (await textOf(file)).split('\n')
      if (!isAlive(Number(pid)) || (await ownership(Number(pid), directory)) !== 'foreign') continue
      await file.write([impossiblePid, ...rest].join('\n'), 0)
    } finally {
      await file.close()
    }
  }
}

// ten digits, so never shorter than what it replaces
const impossiblePid = 2_147_483_646

/** Whether there is a process of that number, even a foreign one or a zombie. */
export function isAlive(pid: number): boolean {
  // a postmaster that starts makes its lock file before it writes its number; 0 would ask after our own process group
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whose process that is, by its command line, which anybody may read; a zombie has none. `unsure`: perhaps a PostgreSQL
 * that somebody else started on this directory, or that only calls itself so: PostgreSQL runs as the directory's owner.
 */
export async function ownership(pid: number, directory: string): Promise<'ours' | 'foreign' | 'unsure'> {
  const [program = '', ...flags] = await commandLine(pid)
  if (!/^(postgres|postmaster)$/.test(basename(program))) return 'foreign'
  const named = flags[flags.indexOf('-D') + 1] ?? ''
  if (!flags.includes('-D') || !isAbsolute(named)) return 'unsure'
  const [one, other] = await Promise.all([named, directory].map((path) => realpath(path).catch(() => path)))
  if (one !== other) return 'foreign'
  return (await userOf(pid)) === (await stat(directory).catch(() => undefined))?.uid ? 'ours' : 'unsure'
}

async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  // ps separates by blanks, which paths may hold: cut where our own flags are
  return stdout.trim().split(/ (?=-[Dc] )|(?<= -[Dc]) /)
}

async function userOf(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') return (await stat(`/proc/${pid}`).catch(() => undefined))?.uid
  const { stdout } = await promisify(execFile)('ps', ['-o', 'uid=', '-p', String(pid)]).catch(() => ({ stdout: '-1' }))
  return Number(stdout)
}

async function linesOf(path: string): Promise<string[]> {
  return (await readNoFollow(path)).split('\n')
}
