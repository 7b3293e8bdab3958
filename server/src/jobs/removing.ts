import { restorableMs } from '../access/visibility.ts'
import { sql } from '../db/sql.ts'
import { eraseLeftPersons } from '../persons/erasing.ts'
import type { Job, JobContext } from './job.ts'
import { beginErasure, endErasures, erasure } from './organization-erasure/erasure.ts'
import { tablesOfOrganizations } from './organization-erasure/tables.ts'

/** Erases the rows of organizations that nobody can restore any more. */
export const removing: Job = { name: 'removing', everyMs: 60_000, run: (run) => removeDeleted(run) }

/** @param batch rows per turn of an organization */
export async function removeDeleted({ db, now, inEach }: JobContext, batch = 500): Promise<void> {
  const before = new Date(now.getTime() - restorableMs).toISOString()
  const atWork = new Date(now.getTime() - aloneMs).toISOString()
  const due = await db.rows<{ orgId: string }>(sql`
    select org_id as "orgId" from organizations
    where deleted_since is not null and (erasure_begun_at < ${atWork} or erasure_begun_at is null and deleted_since < ${before})
    order by deleted_since limit ${mostAtOnce}`)
  if (due.length === 0) return
  const tables = await tablesOfOrganizations(db)
  const begun = new Map<string, ReturnType<typeof erasure>>()
  const emptied: string[] = []
  await inEach(
    due.map(({ orgId }) => orgId),
    async (orgId) => {
      const known = begun.get(orgId)
      if (known === undefined) {
        if (!(await beginErasure(db, orgId, now.toISOString()))) return false
        begun.set(orgId, erasure(db, orgId, tables, batch))
        return true
      }
      const { done } = await known.next()
      if (done) emptied.push(orgId)
      return !done
    },
  )
  if (emptied.length === 0) return
  await endErasures(db, emptied, tables)
  await eraseLeftPersons(db)
}

// leave a younger erasure to the command line, which first waits for running writes
const aloneMs = 60_000
const mostAtOnce = 100
