import { z } from 'zod'
import type { Loader } from '../../access/loader.ts'
import { takeAdvisoryLock } from '../../access/locks.ts'
import { restorableMs } from '../../access/visibility.ts'
import { notFound, unauthorized } from '../../contract/errors.ts'
import { Day, Name, resource } from '../../contract/fields.ts'
import { Timezone } from '../../contract/timezone.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventNoun } from '../../events/event-type.ts'
import type { Emit } from '../../events/outbox.ts'

const Settings = z.strictObject({
  timerPolicy: z
    .enum(['stop_previous', 'reject'])
    .meta({ description: 'The effect on a running timer when the member starts another one.' }),
  overlapPolicy: z.enum(['allow', 'reject']).meta({ description: 'Whether the time entries of a member may overlap.' }),
  timeLockedBefore: Day.nullable().meta({ description: 'Nobody can change time before this day.' }),
})

/** A tenant: other organizations do not see its data. */
export const Organization = resource('Organization', 'A tenant. Its data is invisible to all other organizations.', {
  name: Name.meta({ examples: ['Acme'] }),
  timezone: Timezone,
  weekStart: z.enum(['monday', 'saturday', 'sunday']),
  settings: Settings,
})
export type Organization = z.output<typeof Organization>

/** The events of an organization. */
export const organizationEventNoun: EventNoun = { noun: 'organization', schema: Organization, tells: {} }

const columns = columnsOf('organizations', Organization, {
  shows: {
    id: sql`organizations.org_id`,
    settings: sql`json_build_object('timerPolicy', organizations.timer_policy,
      'overlapPolicy', organizations.overlap_policy, 'timeLockedBefore', organizations.time_locked_before)`,
  },
})

/** The caller's own organization: its path has no id. No key works for a deleted one. @throws 401 */
export const organization: Loader<Organization> = {
  belongsTo: 'organization',
  async load(db, { orgId }, { lock, fields }) {
    // rows that refer to the organization lock its key without the advisory lock; a change of settings does not wait
    // for that lock
    const held = sql.lock(lock === 'update' ? 'no key update' : lock, sql`organizations`)
    const which = sql`organizations.org_id = ${orgId} and organizations.deleted_since is null`
    const [, rows] = await Promise.all([
      takeAdvisoryLock(db, sql`organizations`, sql`organizations.org_id`, lock, which),
      db.rows<Organization>(sql`select ${columns.of(fields)} from organizations where ${which} ${held}`),
    ])
    // deleted after the request was authenticated
    if (rows.length === 0) throw unauthorized()
    return rows.map((item) => ({ item, role: 'lead' }))
  },
}

/**
 * The organization after a statement. A second statement reads it: Citus refuses to return the result of a function
 * that is not immutable.
 */
export async function organizationAfter(db: Db, orgId: string, statement: Sql): Promise<Organization> {
  const [, organization] = await Promise.all([db.rows(statement), organizationNow(db, orgId)])
  return expected(organization, 'An organization just written')
}

/** An organization, even if it is deleted. */
export const organizationNow = (db: Db, orgId: string): Promise<Organization | undefined> =>
  db.row<Organization>(sql`select ${columns} from organizations where organizations.org_id = ${orgId}`)

/**
 * Deletes an organization: from the commit on, its keys do not work. The event makes that exact. A concurrent write
 * takes the counter of events before it checks that its key still works. This transaction holds the counter until its
 * commit.
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

/**
 * Restores a deleted organization.
 * @throws 404 when it is not deleted, was deleted more than 30 days ago, or its erasure has begun
 */
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
