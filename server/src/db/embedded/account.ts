import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartupProblem } from './startup-problem.ts'

/** The operating system account that PostgreSQL runs as. */
export interface Account {
  uid: number
  gid: number
}

/** The account of this process. */
export function ownAccount(): Account {
  if (!process.geteuid || !process.getegid) {
    throw new StartupProblem(
      'The embedded PostgreSQL needs Linux or macOS: set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  return { uid: process.geteuid(), gid: process.getegid() }
}

/** `nobody`, for a root process: PostgreSQL refuses to run as root. */
export async function nobody(): Promise<Account> {
  try {
    const [uid, gid] = await Promise.all([numberOf('-u'), numberOf('-g')])
    return { uid, gid }
  } catch {
    throw new StartupProblem(
      'PostgreSQL refuses to run as root, and this machine has no account "nobody": ' +
        'run Taskwright as an ordinary user, or set DATABASE_URL.',
    )
  }
}

/** Whether a shell test passes for that account; tried for real, since modes alone (parents, mounts, ACLs) do not tell. */
export async function passes(account: Account, test: string, path: string): Promise<boolean> {
  try {
    await asAccount(account, test, [path])
    return true
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === 'number') return false
    throw new StartupProblem(
      `This process cannot start programs as user id ${account.uid} (${(error as Error).message}).`,
    )
  }
}

/**
 * Runs a shell script as that account, `$0` and `$@` being the words: where an account may write, root may be led by a
 * link to anything, but the account only to what is its own.
 */
export async function asAccount(account: Account, script: string, words: readonly string[]): Promise<void> {
  await run('/bin/sh', ['-c', script, ...words], { ...account, cwd: '/' })
}

async function numberOf(flag: '-u' | '-g'): Promise<number> {
  const { stdout } = await run('id', [flag, 'nobody'])
  return Number(stdout)
}

const run = promisify(execFile)
