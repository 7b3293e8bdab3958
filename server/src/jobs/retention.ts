import { sql } from '../db/sql.ts'
import { keepForAudit } from '../resources/audit/audited.ts'
import type { Job, JobContext } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'

/** Deletes expired events and their deliveries. */
export const retention = (keptMs: number): Job => ({
  name: 'retention',
  everyMs: 600_000,
  run: (run) => deleteOldEvents(run, keptMs),
})

/** @param batch rows per turn of an organization */
export async function deleteOldEvents({ db, now, inEach }: JobContext, keptMs: number, batch = 1_000): Promise<void> {
  const before = new Date(now.getTime() - keptMs).toISOString()
  const oldest = (limit: number) => sql`(
    select events.sequence, events.created_at from events
    where events.org_id = organizations.org_id order by events.sequence limit ${limit}) oldest`
  const due = await organizationsWith(db, sql`${oldest(oldestLookedAt)} where oldest.created_at < ${before}`)
  await inEach(due, (orgId) =>
    inOrganization(db, orgId, async (tx) => {
      // delete by sequence, so that no gaps appear: the order of the times may differ a little
      const rows = await tx.rows(sql`
        with gone as (
          delete from events where org_id = ${orgId} and sequence <= (
            select max(oldest.sequence) from (
              select sequence, created_at from events where org_id = ${orgId} order by sequence limit ${batch}) oldest
            where oldest.created_at < ${before})
          returning *),
        kept as (${keepForAudit}),
        delivered as (delete from deliveries where org_id = ${orgId} and sequence <= (select max(sequence) from gone))
        select sequence from gone`)
      return rows.length === batch
    }),
  )
}

// more than one, as a fast clock may have written the very first event
const oldestLookedAt = 10
