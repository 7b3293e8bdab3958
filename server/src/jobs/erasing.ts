import { sql } from '../db/sql.ts'
import { takeNamesOff } from '../resources/members/taking-names-off.ts'
import type { Job, Run } from './job.ts'
import { isThere } from './organizations.ts'

/** Takes the names of erased members off what bears them. */
export const erasing: Job = { name: 'erasing', everyMs: 5_000, run: (run) => eraseAll(run) }

/** @param batch rows of an organization at a time */
export async function eraseAll({ db, now, inEach }: Run, batch = 200): Promise<void> {
  const due = await db.rows<{ orgId: string }>(sql`
    select distinct erasures.org_id as "orgId" from erasures
    join organizations on organizations.org_id = erasures.org_id and organizations.deleted_since is null`)
  await inEach(
    due.map(({ orgId }) => orgId),
    (orgId) =>
      db.forTenant(orgId).transaction(async (tx) => (await isThere(tx, orgId)) && takeNamesOff(tx, orgId, batch, now)),
  )
}
