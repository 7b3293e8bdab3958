import { restorableMs } from '../../access/visibility.ts'
import { notFound } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import type { Emit } from '../../events/outbox.ts'
import { type Organization, organizationNow } from './organization.ts'

/**
 * Deletes an organization: from the commit on nothing opens it. Its event is what makes that exact: a write that is under way
 * takes the counter of events before it asks whether its key still opens anything, and this one holds the counter until it is
 * committed.
 */
export async function deleteOrganization(
  db: Db,
  emit: Emit<'organization.deleted'>,
  organization: Organization,
  now: string,
): Promise<void> {
  const orgId = organization.id
  await db.rows(sql`
    update organizations set deleted_since = ${now}, updated_at = greatest(updated_at, ${now}), version = version + 1
    where org_id = ${orgId} and deleted_since is null`)
  emit('organization.deleted', organization, { orgId })
}

/** Brings a deleted organization back as it was. @throws 404 when it is not deleted, or was more than 30 days ago */
export async function restoreOrganization(
  db: Db,
  emit: Emit<'organization.restored'>,
  orgId: string,
  now: string,
): Promise<Organization> {
  const since = new Date(Date.parse(now) - restorableMs).toISOString()
  const restored = await db.row(sql`
    update organizations set deleted_since = null, updated_at = greatest(updated_at, ${now}), version = version + 1
    where org_id = ${orgId} and deleted_since > ${since} and erasure_begun_at is null returning org_id`)
  if (restored === undefined) throw notFound()
  const organization = expected(await organizationNow(db, orgId), 'An organization just restored')
  emit('organization.restored', organization, { orgId })
  return organization
}
