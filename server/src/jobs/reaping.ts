import { sql } from '../db/sql.ts'
import type { Job, Run } from './job.ts'
import { noOrganization, organizationsWith } from './organizations.ts'

/** Deletes the answers of keyed POSTs that have expired. */
export const reaping: Job = { name: 'reaping', everyMs: 60_000, run: (run) => reap(run) }

/** @param batch rows of an organization at a time */
export async function reap({ db, now, inEach }: Run, batch = 1_000): Promise<void> {
  const before = now.toISOString()
  const due = await organizationsWith(
    db,
    sql`idempotency_keys due where due.org_id = organizations.org_id and due.expires_at <= ${before}`,
  )
  await inEach([noOrganization, ...due], async (orgId) => {
    // the condition stands outside again: a claim that is taken over in the meantime stays
    const rows = await db.rows(sql`
      delete from idempotency_keys where org_id = ${orgId} and expires_at <= ${before}
        and (org_id, member_id, key) in (
          select org_id, member_id, key from idempotency_keys
          where org_id = ${orgId} and expires_at <= ${before} limit ${batch})
      returning key`)
    return rows.length === batch
  })
}
