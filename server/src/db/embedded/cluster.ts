import { createHash } from 'node:crypto'
import { access, chmod, constants, mkdir, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { type Account, databaseAccount, ownAccount, passes } from './account.ts'

/** Where a cluster lives, and whose it is. */
export interface Cluster {
  /** the data directory in use: the wanted one, or where root had to go instead */
  dataDir: string
  /** PGDATA, in it */
  directory: string
  account: Account
}

/** The superuser, and the only user, of the embedded PostgreSQL; its database has the same name. */
export const superuser = 'taskwright'

/**
 * Settles where the cluster lives and which account runs it. Only root has a choice to make: its PostgreSQL runs as the
 * owner of the cluster, or an account of its own, who may be unable to enter the wanted directory.
 */
export async function clusterIn(
  dataDir: string,
  fallbackBase: string,
  say: (sentence: string) => void,
): Promise<Cluster> {
  try {
    await mkdir(dataDir, { recursive: true })
    const wanted = await realpath(dataDir)
    return ownAccount().uid === 0 ? await clusterOfRoot(wanted, fallbackBase, say) : await clusterOfUser(wanted)
  } catch (error) {
    throw pathProblem(dataDir, error)
  }
}

async function clusterOfUser(dataDir: string): Promise<Cluster> {
  const account = ownAccount()
  const directory = join(dataDir, 'postgres')
  const owner = await ownerOf(directory)
  if (owner && owner.uid !== account.uid) {
    throw new StartupProblem(
      `The database in ${directory} belongs to user id ${owner.uid}, but this process runs as ${account.uid}: ` +
        `start Taskwright as before, or hand the directory over with sudo chown -R ${account.uid} ${dataDir}.`,
    )
  }
  await access(dataDir, constants.W_OK | constants.X_OK)
  return { dataDir, directory, account }
}

async function clusterOfRoot(wanted: string, fallbackBase: string, say: (sentence: string) => void): Promise<Cluster> {
  const fallback = fallbackFor(wanted, fallbackBase)
  const here = await accountFor(wanted, say)
  const reachable = await openForSearch(wanted, here, say)
  if (await hasCluster(wanted)) {
    if (!reachable) {
      throw new StartupProblem(
        `The database in ${wanted} is run by user id ${here.uid}, who can no longer enter that directory: ` +
          'let everybody pass through the directories above it (chmod o+x), or move it to where that is so.',
      )
    }
    return clusterOf(wanted, here)
  }
  // a database that had to go elsewhere stays there, whatever opened up meanwhile
  if (reachable && !(await hasCluster(fallback))) return clusterOf(wanted, here)

  const created = await mkdir(fallback, { recursive: true })
  if (created !== undefined) await Promise.all([chmod(fallbackBase, 0o755), chmod(fallback, 0o755)])
  const there = await accountFor(fallback, say)
  if (!(await passes(there, 'test -x "$0"', fallback))) {
    throw new StartupProblem(
      `PostgreSQL, which cannot run as root, can enter neither ${wanted} nor ${fallback} as user id ${there.uid}: ` +
        'give a directory that every user can enter as DATA_DIR, or run Taskwright as an ordinary user.',
    )
  }
  say(
    `The database is in ${fallback}, because PostgreSQL, which cannot run as root, runs as user id ${there.uid}, ` +
      `who ${reachable ? 'once could' : 'can'} not enter ${wanted}.`,
  )
  return clusterOf(fallback, there)
}

/** Where root's cluster goes when PostgreSQL cannot enter the wanted directory. */
const fallbackFor = (wanted: string, base = '/var/lib/taskwright'): string =>
  join(base, `${basename(wanted)}-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`)

// the owner of the cluster runs it; a new one gets an account of its own
async function accountFor(dataDir: string, say: (sentence: string) => void): Promise<Account> {
  const directory = join(dataDir, 'postgres')
  const owner = await ownerOf(directory)
  if (owner && owner.uid !== 0) return owner
  const account = await databaseAccount(say)
  if (!(await hasCluster(dataDir))) return account
  throw new StartupProblem(
    `The database in ${directory} belongs to root, as a copy that root made does, and PostgreSQL cannot run as root: ` +
      `give it to the account that runs it (chown -R ${account.uid}:${account.gid} ${directory}), then start again.`,
  )
}

// the data directory itself is ours to open, those above it are not
async function openForSearch(dataDir: string, account: Account, say: (sentence: string) => void): Promise<boolean> {
  const enters = (directory: string) => passes(account, 'test -x "$0"', directory)
  if (await enters(dataDir)) return true
  if (!(await enters(dirname(dataDir)))) return false
  const folder = await open(dataDir, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY)
  await folder
    .stat()
    .then(({ mode }) => folder.chmod((mode & 0o777) | 0o001))
    .finally(() => folder.close())
  say(`Opened ${dataDir} for passing through (chmod o+x), so that PostgreSQL can run there as user id ${account.uid}.`)
  return enters(dataDir)
}

const clusterOf = (dataDir: string, account: Account): Cluster => ({
  dataDir,
  directory: join(dataDir, 'postgres'),
  account,
})

/** Whether there is a cluster for the data directory: in it, or where root's had to go instead. */
export async function isMade(dataDir: string): Promise<boolean> {
  const place = resolve(dataDir)
  if (await hasCluster(place)) return true
  return stat(join(fallbackFor(place), 'postgres')).then(
    () => true,
    () => false,
  )
}

/** Whether there is a cluster in the data directory; anything else in its place is refused. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const directory = join(dataDir, 'postgres')
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.includes('PG_VERSION')) return true
  if (entries.length === 0) return false
  throw new StartupProblem(
    `The directory ${directory} holds something else than a PostgreSQL cluster (it has no PG_VERSION): ` +
      'move it away, put back a copy, or give another directory as DATA_DIR.',
  )
}

async function ownerOf(path: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
