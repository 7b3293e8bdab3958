import { sql } from '../db/sql.ts'
import type { Job, JobContext } from './job.ts'
import { organizationsWith } from './organizations.ts'

interface RetentionRule {
  eventRetentionMs: number
  auditRetentionMs: number
}

/** Deletes expired entries of the audit. Refused sign-ins expire when events do. */
export const auditRetention = (kept: RetentionRule): Job => ({
  name: 'audit',
  everyMs: 600_000,
  run: (run) => forget(run, kept),
})

/** @param batch rows per turn of an organization */
export async function forget(
  { db, now, inEach }: JobContext,
  { eventRetentionMs, auditRetentionMs }: RetentionRule,
  batch = 1_000,
): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const [acts, hours] = [ago(auditRetentionMs), ago(eventRetentionMs)]
  const due = await organizationsWith(
    db,
    sql`(
      select audit_entries.created_at from audit_entries where audit_entries.org_id = organizations.org_id
      order by audit_entries.sequence limit ${oldestLookedAt}) oldest where oldest.created_at < ${acts}`,
    sql`refused_sign_ins where refused_sign_ins.org_id = organizations.org_id and refused_sign_ins.hour < ${hours}`,
  )
  await inEach(due, async (orgId) => {
    const gone = await db.rows(sql`
      delete from audit_entries where org_id = ${orgId} and sequence <= (
        select max(oldest.sequence) from (
          select sequence, created_at from audit_entries where org_id = ${orgId} order by sequence limit ${batch}) oldest
        where oldest.created_at < ${acts})
      returning sequence`)
    const refused = await db.rows(sql`
      delete from refused_sign_ins where org_id = ${orgId} and id = any(array(
        select id from refused_sign_ins where org_id = ${orgId} and hour < ${hours} limit ${batch}))
      returning id`)
    return gone.length >= batch || refused.length >= batch
  })
}

// more than one, as a fast clock may have written the very first event
const oldestLookedAt = 10
