import type pg from 'pg'
import { StartupProblem } from '../pool/startup-problem.ts'

/**
 * Stands among the migrations from the beginning of a restore to its commit. Versions that know nothing of it take it for a
 * migration of a newer one, and refuse the database too.
 */
export const restoreMark = '9999_restore_under_way.sql'

/** Whether a restore was begun in this database, and has not come to its end. */
export async function isHalfRestored(client: pg.ClientBase): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  )
  if (!found[0]?.there) return false
  const { rows } = await client.query('select name from migrations where name = $1', [restoreMark])
  return rows.length > 0
}

/** @throws StartupProblem where nothing is whole */
export async function refuseHalfRestored(client: pg.ClientBase): Promise<void> {
  if (!(await isHalfRestored(client))) return
  throw new StartupProblem(
    'A restore was begun here and has not come to its end: run taskwright restore with the archive again. It begins anew.',
  )
}
