import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartupProblem } from '../pool/startup-problem.ts'

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

/**
 * The account of a database that root starts, as PostgreSQL refuses to run as root: a system account of its own, made
 * where there is none yet. Where none can be made it is `nobody`, whose other processes can then reach the database.
 */
export async function databaseAccount(say: (sentence: string) => void, name = 'taskwright'): Promise<Account> {
  const existing = await accountNamed(name)
  if (existing) return existing
  const made = await asAccount(ownAccount(), makingAccount, [name]).then(
    () => '',
    ({ stderr, message }) => (stderr || message).trim().split('\n').at(-1),
  )
  // a twin may have made it
  const account = await accountNamed(name)
  if (account) {
    if (made === '') say(`Made the system account ${name}, because PostgreSQL cannot run as root.`)
    return account
  }
  say(
    `PostgreSQL, which cannot run as root, runs as nobody, because no system account ${name} could be made (${made}): ` +
      'whatever else runs as nobody can reach the database.',
  )
  return nobody()
}

// of shadow, or else of BusyBox
const makingAccount = `PATH=$PATH:/usr/sbin:/sbin
if command -v useradd > /dev/null; then
  set -- --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin
  useradd "$@" --user-group "$0" || useradd "$@" --gid "$0" "$0"
else
  addgroup -S "$0" || :
  adduser -S -D -H -h /nonexistent -s /sbin/nologin -G "$0" "$0"
fi`

/** `nobody`, for a root process without an account for its database. */
export async function nobody(): Promise<Account> {
  const account = await accountNamed('nobody')
  if (account) return account
  throw new StartupProblem(
    'PostgreSQL refuses to run as root, and this machine has no account "nobody": ' +
      'run Taskwright as an ordinary user, or set DATABASE_URL.',
  )
}

/** By whom a program is started: where it is this process's own account nothing is asked of the kernel, which may refuse any change. */
export const startedAs = (account: Account): Partial<Account> => {
  const own = ownAccount()
  return account.uid === own.uid && account.gid === own.gid ? {} : account
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
  await run('/bin/sh', ['-c', script, ...words], { ...startedAs(account), cwd: '/' })
}

/** The name of an account, where it has one: in a container it may be a mere number. */
export async function nameOf({ uid }: Account): Promise<string | undefined> {
  const name = await saidById('-un', String(uid)).catch(() => '')
  return name === '' || name === String(uid) ? undefined : name
}

// none that is root's by another name
async function accountNamed(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([saidById('-u', name), saidById('-g', name)]).catch(() => ['0', '0'])
  return Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid) } : undefined
}

async function saidById(flag: string, whom: string): Promise<string> {
  return (await run('id', [flag, '--', whom])).stdout.trim()
}

const run = promisify(execFile)
