import { sql } from '../db/sql.ts'
import { takeNamesOff } from '../resources/members/taking-names-off.ts'
import type { Job, Run } from './job.ts'
import { inOrganization, organizationsIn } from './organizations.ts'

/** Takes the names of erased members off what bears them. */
export const erasing: Job = { name: 'erasing', everyMs: 5_000, run: (run) => eraseAll(run) }

/** @param batch rows of an organization at a time */
export async function eraseAll({ db, now, inEach }: Run, batch = 200): Promise<void> {
  await inEach(await organizationsIn(db, sql`erasures`), (orgId) =>
    inOrganization(db, orgId, (tx) => takeNamesOff(tx, orgId, batch, now)),
  )
}
