import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { StartupProblem } from '../pool/startup-problem.ts'
import type { Migration } from './released.ts'

/** A migration's declaration about servers of the version before: whether they can go on while it is applied, and after. */
interface RollingUpgrade {
  /** the version before, such as 0.1.0 */
  version: string
  can: boolean
  why: string
}

/** Reads the declaration from the comment at the start of a script; scripts of 0.1.0 have none. */
export function rollingUpgradeOf({ script }: Pick<Migration, 'script'>): RollingUpgrade | undefined {
  // bounded: our own migrations
  const [, version, can, why] = /^(?:--.*\n)*?-- beside (\d+\.\d+\.\d+): (yes|no)[,.:;] (\S.*)\n/.exec(script) ?? []
  return version !== undefined && why !== undefined ? { version, can: can === 'yes', why } : undefined
}

/** @throws StartupProblem if a server is connected that cannot run beside one of the missing migrations */
export async function refuseBesideServers(client: pg.Client, missing: readonly Migration[]): Promise<void> {
  for (const migration of missing) {
    const beside = rollingUpgradeOf(migration)
    if (beside === undefined || beside.can || !(await staysConnected(client))) continue
    throw new StartupProblem(
      `Migration ${migration.name} cannot run beside servers of ${beside.version} (${beside.why}), and one is connected: ` +
        'stop all servers of this database, then start this one.',
    )
  }
}

/** Whether a server is still connected after a while: PostgreSQL may notice late that one has ended. */
async function staysConnected(client: pg.Client): Promise<boolean> {
  const beganMs = performance.now()
  for (;;) {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and application_name in ('taskwright', 'taskwright-listen') limit 1`,
    )
    if (rows.length === 0) return false
    if (performance.now() - beganMs > patienceMs) return true
    await wait(50)
  }
}

const patienceMs = 3_000
