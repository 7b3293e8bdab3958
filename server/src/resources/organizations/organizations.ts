import { z } from 'zod'
import { admins, everyone, operator } from '../../access/caller.ts'
import { newKey } from '../../access/keys.ts'
import { refuseUnlessRecent } from '../../access/sessions.ts'
import { invalid } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { newId } from '../../db/ids.ts'
import { normalizeText } from '../../db/normalize-text.ts'
import { sql } from '../../db/sql.ts'
import type { Emit } from '../../events/outbox.ts'
import { route } from '../../operations/route.ts'
import { NewApiKeySecret, storeKey } from '../api-keys/api-key.ts'
import { Member, storedMembers } from '../member.ts'
import { canonicalTimezone } from '../time/timezone.ts'
import { me } from './me.ts'
import {
  deleteOrganization,
  Organization,
  organization,
  organizationAfter,
  restoreOrganization,
} from './organization.ts'

const { name, timezone, weekStart, settings } = Organization.shape
const OrganizationChanges = z.strictObject({ name, timezone, weekStart, settings: settings.partial() }).partial()

const FoundedOrganization = z
  .strictObject({ organization: Organization, owner: Member, apiKey: NewApiKeySecret })
  .meta({ id: 'FoundedOrganization', description: 'A new organization, its owner and the first API key of the owner.' })

export const organizations = [
  route('POST /organizations', {
    name: 'organizations.create',
    summary: 'Create an organization',
    description:
      'Also creates its owner and a first API key. Only the operator can do this. Send the operator token in ' +
      '`Authorization`.',
    roles: operator,
    body: z.strictObject({ name, owner: z.strictObject({ name: Member.shape.name, email: Member.shape.email }) }),
    returns: FoundedOrganization,
    created: () => '/organization',
    secret: true,
    emits: ['organization.created', 'member.created', 'api_key.created'],
    handle: ({ db, body, emit, now }) => createOrganization(db, emit, body, now),
  }),

  route('GET /organization', {
    name: 'organization.get',
    summary: 'Get your organization',
    roles: everyone,
    target: organization,
    returns: Organization,
    handle: ({ target }) => target,
  }),

  route('PATCH /organization', {
    name: 'organization.update',
    summary: 'Update your organization',
    roles: admins,
    target: organization,
    // wait for requests that record time under the old settings
    lock: 'update',
    body: OrganizationChanges,
    returns: Organization,
    emits: ['organization.updated'],
    async handle({ db, caller, target, body: { settings, ...own }, emit, now }) {
      const timezone = await canonicalTimezone(db, own.timezone)
      const changes = { ...own, timezone, ...settings, updatedAt: sql`greatest(updated_at, ${now})` }
      const changed = await organizationAfter(
        db,
        caller.orgId,
        sql`update organizations set ${sql.set(changes)}, version = version + 1 where org_id = ${caller.orgId}`,
      )
      emit('organization.updated', changed, { before: target })
      return changed
    },
  }),

  route('DELETE /organization', {
    name: 'organization.delete',
    summary: 'Delete your organization',
    description:
      'All API keys of the organization stop working at once, including yours. Its webhooks receive nothing more. ' +
      'The operator can restore the organization for 30 days. After that, the server purges all its data.',
    roles: ['owner'],
    target: organization,
    query: z.strictObject({
      name: name.meta({
        description: 'The name of the organization, as a protection against mistakes. Case and accents do not matter.',
        examples: ['Acme'],
      }),
    }),
    emits: ['organization.deleted'],
    async handle({ db, caller, target, query, emit, now }) {
      refuseUnlessRecent(caller)
      if (normalizeText(query.name) !== normalizeText(target.name))
        throw invalid({ name: ['Is not the name of the organization'] })
      await deleteOrganization(db, emit, target, now)
    },
  }),

  route('POST /organizations/{id}/restore', {
    name: 'organizations.restore',
    summary: 'Restore a deleted organization',
    description:
      'Only the operator can do this, within 30 days after the deletion. Send the operator token in ' +
      '`Authorization`. The API keys of the organization work again.',
    roles: operator,
    returns: Organization,
    emits: ['organization.restored'],
    refuses: [404],
    handle: ({ db, params, emit, now }) => restoreOrganization(db, emit, params.id, now),
  }),

  me,
]

interface NewOrganization {
  name: string
  owner: { name: string; email: string }
}

type FoundingEvent = 'organization.created' | 'member.created' | 'api_key.created'

/** Creates an organization, its owner and the owner's first key, with all scopes and no expiry. */
export async function createOrganization(
  db: Db,
  emit: Emit<FoundingEvent>,
  { name, owner }: NewOrganization,
  now: string,
) {
  const orgId = newId()
  const times = { createdAt: now, updatedAt: now }
  const organization = await organizationAfter(
    db,
    orgId,
    sql`insert into organizations ${sql.values({ orgId, name, ...times })}`,
  )
  await db.rows(sql`insert into event_counters ${sql.values({ orgId })}`)
  const member = { ...owner, role: 'owner' }
  const first = await storedMembers.insert(db, orgId, member, now)
  const key = newKey(orgId)
  const forOwner = { memberId: first.id, name: 'First key', scopes: ['read', 'write'] }
  const issued = await storeKey(db, orgId, key, forOwner, now)
  emit('organization.created', organization, { orgId })
  emit('member.created', first, { orgId })
  emit('api_key.created', issued, { orgId })
  return { organization, owner: first, apiKey: { ...issued, secret: key.secret } }
}
