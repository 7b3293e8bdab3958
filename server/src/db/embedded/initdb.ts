import { execFile } from 'node:child_process'
import { lchown, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { ownAccount, startedAs } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type Cluster, hasCluster, superuser } from './cluster.ts'

/** Creates a missing cluster. @throws StartupProblem for a cluster of another major version */
export async function ensureCluster(cluster: Cluster, binaries: PostgresBinaries): Promise<void> {
  try {
    if (!(await hasCluster(cluster.dataDir))) await initialise(cluster, binaries)
    await refuseOtherVersion(cluster, binaries)
  } catch (error) {
    throw pathProblem(cluster.directory, error)
  }
}

// into a sibling, then renamed: a killed start leaves nothing in the way, and of two starts one wins
async function initialise({ dataDir, directory, account }: Cluster, { bin }: PostgresBinaries): Promise<void> {
  await removeAbandoned(dataDir)
  const unfinished = await mkdtemp(join(dataDir, unfinishedPrefix))
  try {
    if (ownAccount().uid !== account.uid) await lchown(unfinished, account.uid, account.gid)
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    await run(join(bin, 'initdb'), [...initdbFlags, '-D', unfinished], { ...startedAs(account), cwd: '/', env })
    await rename(unfinished, directory)
    await syncDirectory(dataDir)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (await hasCluster(dataDir)) return
    const { stderr } = error as { stderr?: string }
    if (stderr === undefined) throw error
    if (isDiskFull(stderr)) throw pathProblem(dataDir, { code: 'ENOSPC' })
    throw new StartupProblem(`The database could not be created in ${directory}:\n${stderr.trim()}`)
  }
}

/** Whether PostgreSQL reported a full disk. */
export const isDiskFull = (said: string): boolean => /No space left on device|Disk quota exceeded|wrote only/.test(said)

const run = promisify(execFile)

const unfinishedPrefix = 'postgres.new-'

const initdbFlags = [
  `--username=${superuser}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale-provider=libc',
  '--locale=C',
  '--data-checksums',
  // this also holds during initdb
  '--set=huge_pages=off',
  '--no-instructions',
]

/** Removes the leftovers of killed first starts. A directory younger than an hour may belong to another start at work. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    const { mtimeMs } = await stat(join(dataDir, name))
    if (mtimeMs < Date.now() - 3_600_000) await rm(join(dataDir, name), { recursive: true })
  }
}

async function refuseOtherVersion({ directory }: Cluster, { major }: PostgresBinaries): Promise<void> {
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
  if (found === major) return
  const written = `The database in ${directory} was written by PostgreSQL ${found}, but this Taskwright brings PostgreSQL ${major}: `
  throw new StartupProblem(
    Number(found) > Number(major)
      ? `${written}start the newer Taskwright that it is from, or restore a backup into a new DATA_DIR.`
      : `${written}run taskwright backup of the Taskwright that it is from, move the directory away, and run taskwright restore of this one.`,
  )
}

/** Makes a rename in a directory durable. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}
