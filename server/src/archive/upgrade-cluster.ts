import { lstat, open, readdir, rename, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { type Account, asAccount } from '../db/embedded/account.ts'
import { usableBinaries } from '../db/embedded/binaries.ts'
import { type Cluster, clusterIn, hasCluster } from '../db/embedded/cluster.ts'
import {
  copiesFor,
  type EmbeddedPostgres,
  lockForServer,
  openCluster,
  openEmbeddedPostgres,
} from '../db/embedded/embedded.ts'
import { formerBinaries } from '../db/embedded/former-binaries.ts'
import { majorOf, removeTree, syncDirectory, upgradeIn, verifiedIn } from '../db/embedded/initdb.ts'
import { stopPostmaster } from '../db/embedded/postmaster.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { plainClient } from '../db/session.ts'
import { StartupProblem } from '../db/startup-problem.ts'
import { backUp, type Written } from './back-up.ts'
import type { OnProgress } from './progress.ts'
import { checkedArchive } from './reading.ts'
import { restore } from './restore.ts'
import { digestsOf } from './verify.ts'

interface UpgradeOptions {
  dataDir: string
  /** of this program */
  version: string
  /** where the programs of the old PostgreSQL are, when they are not found */
  named?: string | undefined
  say: (sentence: string) => void
  /** how far a step is */
  progress: (step: string) => { told: OnProgress; end(): void }
  /** gives up at once, and leaves the old cluster as it was */
  signal?: AbortSignal | undefined
  fallbackBase?: string
  /** of the disk of a directory */
  freeBytes?: (directory: string) => Promise<number>
}

/** What became of a cluster. */
interface Upgraded {
  directory: string
  /** the major version that it has now */
  major: string
  /** where older ones are, which nothing needs any more; with programs that were fetched for that */
  kept: string[]
  /** false where it had that version already */
  moved: boolean
}

/**
 * Moves the embedded cluster of an older major version of PostgreSQL to the one that Taskwright brings, through an archive:
 * what was restored is compared with what was there before it takes its place. Killed at any moment, the next run goes on.
 * @throws StartupProblem, ArchiveProblem
 */
export async function upgradeCluster(options: UpgradeOptions): Promise<Upgraded> {
  const { dataDir, named, say, signal, fallbackBase = '/var/lib/taskwright' } = options
  const cluster = await clusterIn(resolve(dataDir), fallbackBase, say)
  const copiesIn = copiesFor(cluster, fallbackBase)
  const { major } = await usableBinaries(cluster.account, copiesIn, say)
  if (!(await hasCluster(cluster.dataDir))) await finish(cluster, say)
  const { directory } = cluster
  const former = await majorOf(directory)
  const moved = former !== major
  if (Number(former) > Number(major))
    throw new StartupProblem(
      `The database in ${directory} was written by PostgreSQL ${former}, which is newer than the ${major} of this Taskwright.`,
    )
  if (moved) {
    await refuseWhatIsInTheWay(cluster, former)
    await refuseFullDisk(cluster, options)
    const search = { account: cluster.account, dataDir: cluster.dataDir, copiesIn, named, say }
    const binaries = await formerBinaries(former, search)
    const old = await openCluster(cluster, binaries, say, signal)
    await move(cluster, old, options)
    await swap(cluster, former)
  }
  await removeUnfinished(cluster)
  return { directory, major, kept: await keptIn(cluster), moved }
}

/** Makes the new cluster beside the old one, which nobody else may use meanwhile. */
async function move(cluster: Cluster, old: EmbeddedPostgres, options: UpgradeOptions): Promise<void> {
  const lock = await lockForServer(old)
  let whole = false
  try {
    await removeUnfinished(cluster)
    const from = { ...old.connection, ssl: false }
    const before = await nextTransaction(from)
    const written = await copy(cluster, from, options)
    // a command of the former version may write beside us; what PostgreSQL does by itself changes no row
    if ((await nextTransaction(from)) !== before)
      refuseOther(await digestsOf(from, written.contents.tables, options.signal), written, wroteMeanwhile)
    await foundUnfinished(cluster)
    await sealed(verifiedIn(cluster))
    whole = true
  } finally {
    await lock.release()
    await old.stop()
    if (!whole) await removeUnfinished(cluster)
  }
}

async function copy(cluster: Cluster, from: pg.ClientConfig, options: UpgradeOptions): Promise<Written> {
  const { version, say, progress, signal, fallbackBase } = options
  const dataDir = upgradeIn(cluster)
  const made = await openEmbeddedPostgres({ dataDir, say, signal, ...(fallbackBase && { fallbackBase }) })
  try {
    const file = join(dataDir, 'taskwright.tar')
    const reading = progress('Reading')
    const { told } = reading
    const written = await backUp(from, file, { version, replacing: true, say, told, signal }).finally(reading.end)
    const archive = await checkedArchive(file, signal)
    const writing = progress('Writing')
    const connection = { ...made.connection, ssl: false }
    await restore(connection, archive, { upToDate: false, say, told: writing.told, signal }).finally(writing.end)
    say('Comparing …')
    refuseOther(await digestsOf(connection, archive.contents.tables, signal), written, notTheSame)
    await migrate(connection, undefined, { say, ...(signal && { signal }) })
    return written
  } finally {
    await made.stop()
  }
}

function refuseOther(found: Awaited<ReturnType<typeof digestsOf>>, written: Written, sentence: string): void {
  const wrong = Object.entries(written.checksums.tables).filter(([name, { sha256 }]) => found[name]?.sha256 !== sha256)
  if (wrong.length > 0) throw new StartupProblem(`${sentence} (${wrong.map(([name]) => name).join(', ')}).`)
}

const wroteMeanwhile =
  'Something wrote to the database while it was moved, so nothing was changed: stop what uses it, and run it again'
const notTheSame = 'What was moved is not what was there, so nothing was changed'

/** It grows with every transaction that changes something. */
async function nextTransaction(connection: pg.ClientConfig): Promise<string> {
  const client = plainClient(connection, 'taskwright-upgrade')
  await client.connect()
  try {
    const { rows } = await client.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
    )
    return rows[0]?.next ?? ''
  } finally {
    await client.end()
  }
}

/** The old cluster leaves its place, the new one takes it. Between the two a start is refused, and the next run goes on. */
async function swap(cluster: Cluster, former: string): Promise<void> {
  await rename(cluster.directory, `${cluster.directory}-${former}`)
  await syncDirectory(cluster.dataDir)
  await takePlace(cluster)
}

async function takePlace(cluster: Cluster): Promise<void> {
  await rename(join(upgradeIn(cluster), 'postgres'), cluster.directory)
  await syncDirectory(cluster.dataDir)
}

async function finish(cluster: Cluster, say: (sentence: string) => void): Promise<void> {
  await foundUnfinished(cluster)
  const isVerified = await stat(verifiedIn(cluster)).then(
    () => true,
    () => false,
  )
  if (!isVerified || !(await hasCluster(upgradeIn(cluster))))
    throw new StartupProblem(`There is no database in ${cluster.directory}.`)
  say('The last run was stopped shortly before its end, which is made up for now.')
  await takePlace(cluster)
}

/** A new file that is on the disk once this returns. */
async function sealed(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  await file.writeFile('compared, table by table\n')
  await file.sync().finally(() => file.close())
  await syncDirectory(join(path, '..'))
}

async function removeUnfinished(cluster: Cluster): Promise<void> {
  const found = await foundUnfinished(cluster)
  if (!found) return
  const [place, made] = [upgradeIn(cluster), join(upgradeIn(cluster), 'postgres')]
  // first, so that what is half removed is taken for nothing else
  await asAccount(found, 'rm -f -- "$0"', [verifiedIn(cluster)])
  await stopPostmaster(made)
  for (const path of [made, place])
    await removeTree(path).catch(({ message }) => Promise.reject(cannotBeRemoved(path, message)))
}

const cannotBeRemoved = (path: string, why: string) =>
  new StartupProblem(`${path} could not be removed (${why.trim().split('\n').at(-1)}): remove it yourself.`)

/** What is where the new cluster is made; refuses a link, by which whoever may write here would lead root elsewhere. */
async function foundUnfinished(cluster: Cluster): Promise<Account | undefined> {
  const place = upgradeIn(cluster)
  const found = await lstat(place).catch(() => undefined)
  if (found?.isSymbolicLink())
    throw new StartupProblem(`${place} is a link, and may lead anywhere: remove it, then run taskwright upgrade again.`)
  return found
}

async function refuseWhatIsInTheWay({ directory }: Cluster, former: string): Promise<void> {
  if ((await lstat(directory)).isSymbolicLink())
    throw new StartupProblem(
      `${directory} is a link: put the directory that it leads to in its place, run taskwright upgrade, and move it back.`,
    )
  const kept = `${directory}-${former}`
  if (await lstat(kept).catch(() => undefined))
    throw new StartupProblem(
      `${kept} is there already, as an earlier upgrade left it: move it away or remove it first.`,
    )
}

async function refuseFullDisk({ dataDir, directory }: Cluster, { freeBytes = freeOn }: UpgradeOptions): Promise<void> {
  const needed = 1.5 * (await bytesBelow(join(directory, 'base'))) + 300_000_000
  const free = await freeBytes(dataDir)
  if (free < needed)
    throw new StartupProblem(
      `The upgrade needs about ${megabytes(needed)} beside the database, and ${megabytes(free)} are free where ${dataDir} is: make room first.`,
    )
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

async function freeOn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

async function bytesBelow(directory: string): Promise<number> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = files.map(({ parentPath, name }) =>
    stat(join(parentPath, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function keptIn({ dataDir }: Cluster): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => /^(postgres|postgresql)-\d+$/.test(name))
  return names.sort().map((name) => join(dataDir, name))
}
