import { sql } from '../db/sql.ts'
import { changeByJob } from '../operations/changes.ts'
import { detachSome } from '../resources/detaching/detaching.ts'
import type { Job, Run } from './job.ts'

/** Detaches what was deleted from the many rows that refer to it. */
export const detaching: Job = { name: 'detaching', everyMs: 5_000, run: (run) => detachAll(run) }

/** @param batch rows of an organization at a time, each in a transaction with its event */
export async function detachAll({ db, inEach }: Run, batch = 200): Promise<void> {
  const due = await db.rows<{ orgId: string }>(sql`select distinct org_id as "orgId" from detachments`)
  await inEach(
    due.map(({ orgId }) => orgId),
    (orgId) => changeByJob(db, orgId, 'detaching', (tx, emit, now) => detachSome({ db: tx, emit, now }, orgId, batch)),
  )
}
