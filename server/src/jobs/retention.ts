import { sql } from '../db/sql.ts'
import { keepForAudit } from '../resources/audit/audited.ts'
import type { Job, Run } from './job.ts'
import { inOrganization, organizationsWith } from './organizations.ts'

/** Deletes events that are older than they are kept, with their deliveries. */
export const retention = (keptMs: number): Job => ({
  name: 'retention',
  everyMs: 600_000,
  run: (run) => deleteOldEvents(run, keptMs),
})

/** @param batch rows of an organization at a time */
export async function deleteOldEvents({ db, now, inEach }: Run, keptMs: number, batch = 1_000): Promise<void> {
  const before = new Date(now.getTime() - keptMs).toISOString()
  const oldest = (limit: number) => sql`(
    select events.sequence, events.created_at from events
    where events.org_id = organizations.org_id order by events.sequence limit ${limit}) oldest`
  const due = await organizationsWith(db, sql`${oldest(oldestLookedAt)} where oldest.created_at < ${before}`)
  await inEach(due, (orgId) =>
    inOrganization(db, orgId, async (tx) => {
      // in the order of the sequence, so that no gaps are left; the order of the times may differ a little
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

// more than one, as the very first event may have been written by a fast clock
const oldestLookedAt = 10
