import { sql } from '../db/sql.ts'
import { takeNamesOff } from '../resources/members/taking-names-off.ts'
import type { Job, JobContext } from './job.ts'
import { organizationExists, organizationsIn } from './organizations.ts'

/** Removes the names of erased members from events, keys and stored responses. */
export const erasing: Job = { name: 'erasing', everyMs: 5_000, run: (run) => eraseAll(run) }

/** @param batch rows per turn of an organization */
export async function eraseAll({ db, now, inEach }: JobContext, batch = 200): Promise<void> {
  await inEach(await organizationsIn(db, sql`erasures`), (orgId) =>
    db.transaction(async (tx) => {
      // Citus on one node needs this before the ANALYZE at the end of the transaction. Plain PostgreSQL ignores it
      tx.send('set local citus.enable_local_execution = off')
      return (await organizationExists(tx, orgId)) && takeNamesOff(tx, orgId, batch, now)
    }),
  )
}
