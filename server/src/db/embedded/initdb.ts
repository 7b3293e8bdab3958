import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lchown, lstat, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { asAccount, ownAccount, startedAs } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type Cluster, hasCluster, superuser } from './cluster.ts'
import { readNoFollow } from './no-follow.ts'

/** Makes the cluster where there is none; refuses what is there and cannot be opened. */
export async function ensureCluster(cluster: Cluster, binaries: PostgresBinaries): Promise<void> {
  try {
    await removeUnfinished(cluster)
    if (!(await hasCluster(cluster.dataDir))) await initialise(cluster, binaries)
    await refuseOtherVersion(cluster, binaries)
  } catch (error) {
    throw pathProblem(cluster.directory, error)
  }
}

// into a sibling, then renamed: a start that was killed meanwhile leaves nothing in the way, and of two one wins
async function initialise({ dataDir, directory, account }: Cluster, { bin }: PostgresBinaries): Promise<void> {
  const unfinished = `${directory}${unfinishedMark}${process.pid}-${randomBytes(6).toString('hex')}`
  const running = { ...startedAs(account), cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const alone = async (database: string, statement: string) => {
    const asked = run(join(bin, 'postgres'), ['--single', '-D', unfinished, database], running)
    asked.child.stdin?.on('error', () => {}) // it ended early: `asked` says why
    asked.child.stdin?.end(`${statement}\n`)
    return asked
  }
  try {
    await mkdir(unfinished, { mode: 0o700 })
    // what root makes is given away, and nobody else may do that
    if (ownAccount().uid !== account.uid) await lchown(unfinished, account.uid, account.gid)
    await run(join(bin, 'initdb'), [...initdbFlags, '-D', unfinished], running)
    const { stderr } = await alone('postgres', `create database ${superuser}`)
    // a statement that fails does not end it in failure, and what was made must open once more
    await alone(superuser, 'select 1').catch((error) =>
      Promise.reject(Object.assign(error, { stderr: stderr + error.stderr })),
    )
    await rename(unfinished, directory)
    await syncDirectory(dataDir)
  } catch (error) {
    await removeTree(unfinished)
    if (await hasCluster(dataDir)) return
    const { stderr, message, signal } = error as { stderr?: string; message: string; signal?: NodeJS.Signals | null }
    if (stderr === undefined) throw error
    if (/No space left on device|Disk quota exceeded|wrote only/.test(stderr))
      throw pathProblem(dataDir, Object.assign(new Error(message), { code: 'ENOSPC' }))
    const said = stderr.split('\n').find((line) => /error|fatal|panic|signal/i.test(line))
    const cause = said ?? (signal ? `PostgreSQL was ended by ${signal}` : message)
    throw new StartupProblem(`The database could not be made in ${directory}: ${cause.trim()}`)
  }
}

const run = promisify(execFile)

const unfinishedMark = '.new-'

const initdbFlags = [
  `--username=${superuser}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale-provider=libc',
  '--locale=C',
  '--data-checksums',
  // also while it is made
  '--set=huge_pages=off',
  '--no-instructions',
]

async function removeUnfinished({ dataDir, directory }: Cluster): Promise<void> {
  const prefix = `${basename(directory)}${unfinishedMark}`
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(prefix)) continue
    const path = join(dataDir, name)
    if (await abandoned(path, Number.parseInt(name.slice(prefix.length), 10))) {
      // an orphaned initdb may still be writing there: the next start gets it
      await removeTree(path).catch(() => {})
    }
  }
}

/** Removes a directory, if it is there, with all in it: by whose it is, who could put links in the way of root. */
async function removeTree(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return
  if (found.uid === ownAccount().uid) return rm(path, { recursive: true, force: true, maxRetries: 3 })
  await asAccount(found, 'cd "$0" && rm -rf -- * .[!.]*', [path])
  await rmdir(path)
}

async function abandoned(path: string, pid: number): Promise<boolean> {
  const madeAt = await stat(path).then(
    (found) => found.mtimeMs,
    () => Date.now(),
  )
  // in a container every start has the same pid, so one's own counts only since one's own start
  if (pid === process.pid) return madeAt < Date.now() - process.uptime() * 1000
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  return madeAt < Date.now() - 10 * 60_000
}

async function refuseOtherVersion({ directory }: Cluster, { major }: PostgresBinaries): Promise<void> {
  const found = (await readNoFollow(join(directory, 'PG_VERSION'))).trim()
  if (found === major) return
  const written = `The database in ${directory} was written by PostgreSQL ${found}, but this Taskwright brings PostgreSQL ${major}: `
  throw new StartupProblem(
    Number(found) > Number(major)
      ? `${written}start the newer Taskwright that it is from, or restore a backup into a new DATA_DIR.`
      : `${written}run taskwright backup of the Taskwright that it is from, move the directory away, and run taskwright restore of this one.`,
  )
}

/** Once this returns, what was renamed in a directory stays so. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}
