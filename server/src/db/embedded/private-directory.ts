import { stat } from 'node:fs/promises'
import { StartupProblem } from '../pool/startup-problem.ts'
import { asAccount } from './account.ts'
import type { Cluster } from './cluster.ts'

/**
 * Closes the directory of a cluster to others, as a copy or a restore of files may open it: PostgreSQL refuses to start there.
 * @throws StartupProblem with the command, where this process cannot
 */
export async function makePrivate({ directory, account }: Cluster, say: (sentence: string) => void): Promise<void> {
  if (!(await isOpen(directory))) return
  await asAccount(account, 'chmod 700 -- "$0"', [directory]).catch(() => {})
  if (await isOpen(directory))
    throw new StartupProblem(
      `Others may use the directory of the database, so PostgreSQL does not start there: sudo chmod 700 ${directory}. ` +
        'Where that has no effect, as on some network and shared disks, give a directory on another disk as DATA_DIR.',
    )
  say(`Closed ${directory} to others (chmod 700), as PostgreSQL demands.`)
}

/** Whether others than its owner may write there or look in; its group may look in. */
const isOpen = async (directory: string) => ((await stat(directory)).mode & 0o027) !== 0
