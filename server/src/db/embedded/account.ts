import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartupProblem } from '../pool/startup-problem.ts'

/** The operating system account that runs PostgreSQL. */
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

/** The account for a new database of root, as PostgreSQL refuses to run as root: `taskwright` if it exists, else `nobody`. */
export async function databaseAccount(say: (sentence: string) => void, name = 'taskwright'): Promise<Account> {
  const account = await accountNamed(name)
  if (account) return account
  say(
    'PostgreSQL cannot run as root, so it runs as nobody, and other programs that run as nobody can reach the database. ' +
      `To prevent that, create an account for it before the first start: useradd --system ${name}`,
  )
  return nobody()
}

/** The account `nobody`, for a root process without an account for its database. */
export async function nobody(): Promise<Account> {
  const account = await accountNamed('nobody')
  if (account) return account
  throw new StartupProblem(
    'PostgreSQL refuses to run as root, and this machine has no account "nobody": ' +
      'run Taskwright as an ordinary user, or set DATABASE_URL.',
  )
}

/** Options to start a program as this account; none for the own account, because a kernel may refuse any change. */
export const startedAs = (account: Account): Partial<Account> => {
  const own = ownAccount()
  return account.uid === own.uid && account.gid === own.gid ? {} : account
}

/** Whether a shell test on `$0` succeeds for this account. Modes alone do not tell: parents, mounts and ACLs count too. */
export async function passes(account: Account, test: string, path: string): Promise<boolean> {
  try {
    await runAsAccount(account, test, [path])
    return true
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === 'number') return false
    throw new StartupProblem(
      `This process cannot start programs as user id ${account.uid} (${(error as Error).message}).`,
    )
  }
}

/**
 * Runs a shell script as this account, with the words as `$0` and `$@`. Root changes files of the database only in this way. A
 * link that the account made could lead root to any file, but leads the account only to its own.
 * @returns the output of the script
 */
export async function runAsAccount(account: Account, script: string, words: readonly string[]): Promise<string> {
  return (await run('/bin/sh', ['-c', script, ...words], { ...startedAs(account), cwd: '/' })).stdout
}

// an account with uid 0 is root under another name
async function accountNamed(name: string): Promise<Account | undefined> {
  const ids = [run('id', ['-u', name]), run('id', ['-g', name])]
  const [uid, gid] = await Promise.all(ids).then(
    (answers) => answers.map(({ stdout }) => Number(stdout)),
    () => [],
  )
  return uid && gid ? { uid, gid } : undefined
}

const run = promisify(execFile)
