import { sql } from '../db/sql.ts'
import type { Job, JobContext } from './job.ts'
import { noOrganization, organizationsWith } from './organizations.ts'

/** Deletes expired responses of POSTs with an Idempotency-Key. */
export const idempotencyRetention: Job = { name: 'reaping', everyMs: 60_000, run: (run) => reap(run) }

/** @param batch rows per turn of an organization */
export async function reap({ db, now, inEach }: JobContext, batch = 1_000): Promise<void> {
  const before = now.toISOString()
  const due = await organizationsWith(
    db,
    sql`idempotency_keys due where due.org_id = organizations.org_id and due.expires_at <= ${before}`,
  )
  await inEach([noOrganization, ...due], async (orgId) => {
    // repeat the condition outside: a request may take an expired claim over between the two, and that claim must stay
    const rows = await db.rows(sql`
      delete from idempotency_keys where org_id = ${orgId} and expires_at <= ${before}
        and (org_id, member_id, key) in (
          select org_id, member_id, key from idempotency_keys
          where org_id = ${orgId} and expires_at <= ${before} limit ${batch})
      returning key`)
    return rows.length === batch
  })
}
