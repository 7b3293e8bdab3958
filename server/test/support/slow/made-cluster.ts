import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { usableBinaries } from '../../../src/db/embedded/binaries.ts'
import { clusterIn, hasCluster } from '../../../src/db/embedded/cluster.ts'
import { ensureCluster } from '../../../src/db/embedded/initdb.ts'
import { stopPostmaster } from '../../../src/db/embedded/postmaster.ts'

/** Puts a cluster into a data directory, as a first start makes one, and takes less time than that: it is a copy. */
export async function copyCluster(dataDir: string): Promise<void> {
  const made = process.env.TEST_CLUSTER ?? ''
  const directory = (await hasCluster(made)) ? join(made, 'postgres') : await make(made)
  // with the account that runs it
  await promisify(execFile)('cp', ['-Rp', directory, join(dataDir, 'postgres')])
}

/** Once in a run, whichever test comes first; of two that do so at once one wins. */
async function make(dataDir: string): Promise<string> {
  const [fallbackBase, say] = [join(dataDir, 'programs'), () => {}]
  const cluster = await clusterIn(dataDir, fallbackBase, say)
  await ensureCluster(cluster, await usableBinaries(cluster.account, fallbackBase, say))
  return cluster.directory
}

/** Stops the PostgreSQL of a cluster, if one runs. */
export async function stopPostgres(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'postmaster.pid'))) return
  const account = await stat(directory)
  const binaries = await usableBinaries(account, join(process.env.TEST_CLUSTER ?? '', 'programs'), () => {})
  await stopPostmaster({ dataDir: dirname(directory), directory, account }, binaries)
}
