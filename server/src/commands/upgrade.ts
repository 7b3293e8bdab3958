import { upgradeCluster } from '../archive/upgrade-cluster.ts'
import { version } from '../processes/version.ts'
import { archiveProgress } from './archive-progress.ts'
import { type Asked, Failure } from './command.ts'
import { withArchive } from './with-store.ts'

/** Moves the embedded database of an older PostgreSQL to the one that this version brings. */
export const runUpgrade = ({ config, values, output }: Asked<{ binaries: string }>): Promise<void> =>
  withArchive(async (signal) => {
    const { dataDir, databaseUrl } = config
    if (databaseUrl !== undefined)
      throw new Failure(
        'taskwright upgrade moves the embedded database, and DATABASE_URL names another one: upgrade that by pg_upgrade, or by backup and restore.',
      )
    const options = { dataDir, version: await version(), named: values.binaries, signal }
    const { directory, major, kept, moved } = await upgradeCluster({
      ...options,
      say: output.say,
      progress: archiveProgress,
    })
    output.print(`The database in ${directory} is one of PostgreSQL ${major}${moved ? ' now' : ' already'}.`)
    if (kept.length === 0) return
    output.print(`What was before is kept. Once you are sure that nothing is missing: rm -r ${kept.join(' ')}`)
  })
