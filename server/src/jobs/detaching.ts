import { sql } from '../db/sql.ts'
import { changeByJob } from '../operations/changes.ts'
import { detachSome } from '../resources/detaching/detaching.ts'
import type { Job, JobContext } from './job.ts'
import { organizationExists, organizationsIn } from './organizations.ts'

/** Takes deleted resources off the many rows that refer to them. */
export const detaching: Job = { name: 'detaching', everyMs: 5_000, run: (run) => detachAll(run) }

/** @param batch rows per turn of an organization, changed in one transaction with their events */
export async function detachAll({ db, inEach }: JobContext, batch = 200): Promise<void> {
  await inEach(await organizationsIn(db, sql`detachments`), (orgId) =>
    changeByJob(
      db,
      orgId,
      'detaching',
      async (tx, emit, now) => (await organizationExists(tx, orgId)) && detachSome({ db: tx, emit, now }, orgId, batch),
    ),
  )
}
