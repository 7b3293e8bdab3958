import type pg from 'pg'
import { StartupProblem } from '../pool/startup-problem.ts'

/**
 * The name of a row among the migrations from the start of a restore to its commit. An older version takes it for a migration
 * of a newer version, and refuses the database too.
 */
export const restoreMark = '9999_restore_under_way.sql'

/** Whether a restore began in this database and did not finish. */
export async function isHalfRestored(client: pg.ClientBase): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  )
  if (!found[0]?.there) return false
  const { rows } = await client.query('select name from migrations where name = $1', [restoreMark])
  return rows.length > 0
}

/** @throws StartupProblem if a restore did not finish */
export async function refuseHalfRestored(client: pg.ClientBase): Promise<void> {
  if (!(await isHalfRestored(client))) return
  throw new StartupProblem(
    'A restore was started here and did not finish: run taskwright restore with the archive again. It starts from the beginning.',
  )
}
