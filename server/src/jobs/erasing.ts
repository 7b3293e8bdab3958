import { sql } from '../db/sql.ts'
import { takeNamesOff } from '../resources/members/taking-names-off.ts'
import type { Job, Run } from './job.ts'
import { isThere, organizationsIn } from './organizations.ts'

/** Takes the names of erased members off what bears them. */
export const erasing: Job = { name: 'erasing', everyMs: 5_000, run: (run) => eraseAll(run) }

/** @param batch rows of an organization at a time */
export async function eraseAll({ db, now, inEach }: Run, batch = 200): Promise<void> {
  await inEach(await organizationsIn(db, sql`erasures`), (orgId) =>
    db.transaction(async (tx) => {
      // ANALYZE at its end needs it from the beginning on a Citus of one node; on plain PostgreSQL it means nothing
      tx.send('set local citus.enable_local_execution = off')
      return (await isThere(tx, orgId)) && takeNamesOff(tx, orgId, batch, now)
    }),
  )
}
