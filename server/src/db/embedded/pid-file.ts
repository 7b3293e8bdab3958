import { execFile } from 'node:child_process'
import { constants, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { port } from './socket.ts'

/**
 * Puts an impossible process number into lock files that name a process other than PostgreSQL. After a power loss the number may
 * belong to another program (in a container it often does), and PostgreSQL would refuse to start. The rest of the file
 * stays: through its shared memory PostgreSQL still finds old backends.
 */
export async function disownReusedPid(directory: string, socketDirectory: string): Promise<void> {
  for (const path of [join(directory, 'postmaster.pid'), join(socketDirectory, `.s.PGSQL.${port}.lock`)]) {
    // the database's account may have put a link to a file of root there, symbolic or hard
    const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined)
    if (!file) continue
    try {
      if ((await file.stat()).nlink !== 1) continue
      const [pid = '', ...rest] = (await file.readFile('utf8')).split('\n')
      if (!isAlive(Number(pid)) || /^(postgres|postmaster)/.test(await programOf(Number(pid)))) continue
      // write into the file that was read, as another start may have replaced it
      await file.write([impossiblePid, ...rest].join('\n'), 0)
    } finally {
      await file.close()
    }
  }
}

// ten digits, so never shorter than the number that it replaces
const impossiblePid = 2_147_483_646

/** Whether a process has this number, even a process of another user or a zombie. */
export function isAlive(pid: number): boolean {
  // a starting postmaster creates its lock file before it writes its number; 0 would mean our own process group
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The name of a process without its arguments. */
async function programOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ucomm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout
}
