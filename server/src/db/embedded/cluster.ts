import { createHash } from 'node:crypto'
import { access, chmod, constants, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { type Account, databaseAccount, ownAccount, passes } from './account.ts'

/** The location of a cluster, and the account that runs it. */
export interface Cluster {
  /** the data directory in use: the requested one, or root's fallback */
  dataDir: string
  /** PGDATA, in it */
  directory: string
  account: Account
}

/** The superuser, and the only user, of the embedded PostgreSQL; its database has the same name. */
export const superuser = 'taskwright'

/** Determines the location of the cluster and the account that runs it. Only root has a choice. */
export async function clusterIn(
  dataDir: string,
  fallbackBase: string,
  say: (sentence: string) => void,
): Promise<Cluster> {
  try {
    return ownAccount().uid === 0 ? await clusterOfRoot(dataDir, fallbackBase, say) : await clusterOfUser(dataDir)
  } catch (error) {
    throw pathProblem(dataDir, error)
  }
}

async function clusterOfUser(dataDir: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true })
  await access(dataDir, constants.W_OK | constants.X_OK)
  return clusterOf(await realpath(dataDir), ownAccount())
}

/** PostgreSQL cannot run as root. The owner of the cluster runs it, or an account that may be unable to enter the directory. */
async function clusterOfRoot(given: string, fallbackBase: string, say: (sentence: string) => void): Promise<Cluster> {
  await makePassable(given)
  const wanted = await realpath(given)
  const fallback = fallbackFor(wanted, fallbackBase)
  for (const dataDir of [wanted, fallback]) if (await hasCluster(dataDir)) return clusterOfOwner(dataDir, say)
  const account = await databaseAccount(say)
  const enters = (directory: string) => passes(account, 'test -x "$0"', directory)
  if (await enters(wanted)) return clusterOf(wanted, account)
  await makePassable(fallbackBase)
  await makePassable(fallback)
  if (await enters(fallback)) {
    say(
      `The database is in ${fallback}, because PostgreSQL cannot run as root, and user id ${account.uid}, which runs it, ` +
        `cannot enter ${wanted}.`,
    )
    return clusterOf(fallback, account)
  }
  throw new StartupProblem(
    `PostgreSQL cannot run as root, and user id ${account.uid} can enter neither ${wanted} nor ${fallback}: ` +
      'give a directory that every user can enter as DATA_DIR, or run Taskwright as an ordinary user.',
  )
}

async function clusterOfOwner(dataDir: string, say: (sentence: string) => void): Promise<Cluster> {
  const directory = join(dataDir, 'postgres')
  const { uid, gid } = await stat(directory)
  if (uid === 0) {
    const account = await databaseAccount(say)
    throw new StartupProblem(
      `The database in ${directory} belongs to root, and PostgreSQL cannot run as root: ` +
        `give it to another account (chown -R ${account.uid}:${account.gid} ${directory}), then start again.`,
    )
  }
  if (await passes({ uid, gid }, 'test -x "$0"', directory)) return clusterOf(dataDir, { uid, gid })
  throw new StartupProblem(
    `User id ${uid}, which runs the database in ${dataDir}, cannot enter that directory: ` +
      'let everybody pass through the directories above it (chmod o+x), or move it to where that is so.',
  )
}

/** The location of root's cluster if PostgreSQL cannot enter the requested directory. */
const fallbackFor = (wanted: string, base = '/var/lib/taskwright'): string =>
  join(base, `${basename(wanted)}-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`)

/** Creates a missing directory so that other accounts can pass through it. */
async function makePassable(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true })
  if (made !== undefined) await chmod(directory, 0o755)
}

const clusterOf = (dataDir: string, account: Account): Cluster => ({
  dataDir,
  directory: join(dataDir, 'postgres'),
  account,
})

/** Whether there is a cluster for the data directory: in it, or in root's fallback. */
export async function clusterExists(dataDir: string): Promise<boolean> {
  const place = resolve(dataDir)
  return (await hasCluster(place)) || hasCluster(fallbackFor(place)).catch(() => false)
}

/** Whether there is a cluster in the data directory. @throws StartupProblem if its place holds anything else */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const directory = join(dataDir, 'postgres')
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.includes('PG_VERSION')) return true
  if (entries.length === 0) return false
  throw new StartupProblem(
    `The directory ${directory} is not a PostgreSQL data directory (it has no PG_VERSION): ` +
      'move it away, restore a copy, or set DATA_DIR to another directory.',
  )
}
