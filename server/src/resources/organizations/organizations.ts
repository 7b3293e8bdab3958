import { z } from 'zod'
import { admins, everyone, operator } from '../../access/caller.ts'
import { newKey } from '../../access/keys.ts'
import type { Loader } from '../../access/loader.ts'
import { takeAdvisoryLock } from '../../access/locks.ts'
import { unauthorized } from '../../contract/errors.ts'
import { Day, Name, resource, Timezone } from '../../contract/fields.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { newId } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Told } from '../../events/event-type.ts'
import type { Emit } from '../../events/outbox.ts'
import { route } from '../../operations/route.ts'
import { ApiKey, apiKey, NewApiKeySecret, storeKey, visibleTo } from '../api-keys/api-key.ts'
import { Member, member, storedMembers } from '../member.ts'
import { canonicalTimezone } from '../time/timezone.ts'

const Settings = z.strictObject({
  timerPolicy: z
    .enum(['stop_previous', 'reject'])
    .meta({ description: 'What starting a timer does to a running one.' }),
  overlapPolicy: z.enum(['allow', 'reject']).meta({ description: "Whether a member's entries may overlap." }),
  timeLockedBefore: Day.nullable().meta({ description: 'Time before this day can no longer be changed.' }),
})

/** A tenant: what belongs to one is invisible to every other. */
export const Organization = resource('Organization', 'A tenant.', {
  name: Name.meta({ examples: ['Acme'] }),
  timezone: Timezone,
  weekStart: z.enum(['monday', 'saturday', 'sunday']),
  settings: Settings,
})
export type Organization = z.output<typeof Organization>

const { name, timezone, weekStart } = Organization.shape
const OrganizationChanges = z.strictObject({ name, timezone, weekStart, settings: Settings.partial() }).partial()

const FoundedOrganization = z
  .strictObject({ organization: Organization, owner: Member, apiKey: NewApiKeySecret })
  .meta({ id: 'FoundedOrganization', description: 'A new organization, its owner and the first key of the owner.' })

/** What the events of an organization tell of. */
export const toldOrganization: Told = { noun: 'organization', schema: Organization, tells: {} }

const columns = columnsOf('organizations', Organization, {
  shows: {
    id: sql`organizations.org_id`,
    settings: sql`json_build_object('timerPolicy', organizations.timer_policy,
      'overlapPolicy', organizations.overlap_policy, 'timeLockedBefore', organizations.time_locked_before)`,
  },
})

/** The caller's own organization: its path has no id. */
const organization: Loader<Organization> = {
  belongsTo: 'organization',
  async load(db, { orgId }, { lock, fields }) {
    // rows that name the organization hold its key without asking whose turn it is, so settings do not wait for the key
    const held = sql.lock(lock === 'update' ? 'no key update' : lock, sql`organizations`)
    const which = sql`organizations.org_id = ${orgId}`
    const [, rows] = await Promise.all([
      takeAdvisoryLock(db, sql`organizations`, sql`organizations.org_id`, lock, which),
      db.rows<Organization>(sql`select ${columns.of(fields)} from organizations where ${which} ${held}`),
    ])
    return rows.map((item) => ({ item, role: 'lead' }))
  },
}

export const organizations = [
  route('POST /organizations', {
    name: 'organizations.create',
    summary: 'Found an organization, with its owner and a first key',
    description: 'For whoever runs the instance: Authorization carries the operator token.',
    roles: operator,
    body: z.strictObject({ name, owner: z.strictObject({ name: Member.shape.name, email: Member.shape.email }) }),
    returns: FoundedOrganization,
    created: () => '/organization',
    secret: true,
    emits: ['organization.created', 'member.created', 'api_key.created'],
    handle: ({ db, body, emit, now }) => createOrganization(db, emit, body, now),
  }),

  route('GET /organization', {
    name: 'organization.read',
    summary: 'Read your organization',
    roles: everyone,
    target: organization,
    returns: Organization,
    handle: ({ target }) => target,
  }),

  route('PATCH /organization', {
    name: 'organization.update',
    summary: 'Edit your organization',
    roles: admins,
    target: organization,
    // whoever records time under the old settings finishes first
    lock: 'update',
    body: OrganizationChanges,
    returns: Organization,
    emits: ['organization.updated'],
    async handle({ db, caller, target, body: { settings, ...own }, emit, now }) {
      const timezone = await canonicalTimezone(db, own.timezone)
      const changes = { ...own, timezone, ...settings, updatedAt: sql`greatest(updated_at, ${now})` }
      const changed = await written(
        db,
        caller.orgId,
        sql`update organizations set ${sql.set(changes)}, version = version + 1 where org_id = ${caller.orgId}`,
      )
      emit('organization.updated', changed, { before: target })
      return changed
    },
  }),

  route('GET /me', {
    name: 'me.read',
    summary: 'Read who you are: your member, your organization, your key',
    roles: everyone,
    returns: z
      .strictObject({ member: Member, organization: Organization, apiKey: ApiKey })
      .meta({ id: 'Me', description: 'Who the API key belongs to.' }),
    // when a key was last used is no event
    changes: 'without events',
    async handle({ db, caller }) {
      const [[me], [mine], [key]] = await Promise.all([
        member.load(db, caller, { ids: [caller.memberId], lock: 'none' }),
        organization.load(db, caller, { ids: [caller.orgId], lock: 'none' }),
        apiKey.load(db, caller, { ids: [caller.keyId], lock: 'none' }),
      ])
      // removed since it was let in
      if (me === undefined || key === undefined) throw unauthorized()
      return {
        member: me.item,
        organization: expected(mine, 'The organization').item,
        apiKey: visibleTo(caller)(key.item),
      }
    },
  }),
]

interface Founding {
  name: string
  owner: { name: string; email: string }
}

type Founded = 'organization.created' | 'member.created' | 'api_key.created'

/** Makes an organization, its owner and the owner's first key, with all scopes and no expiry. */
export async function createOrganization(db: Db, emit: Emit<Founded>, { name, owner }: Founding, now: string) {
  const orgId = newId()
  const times = { createdAt: now, updatedAt: now }
  const organization = await written(db, orgId, sql`insert into organizations ${sql.values({ orgId, name, ...times })}`)
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

/** The organization as a statement left it. Citus lets none return what a function makes that is not immutable. */
async function written(db: Db, orgId: string, statement: Sql): Promise<Organization> {
  const [, organization] = await Promise.all([
    db.rows(statement),
    db.row<Organization>(sql`select ${columns} from organizations where organizations.org_id = ${orgId}`),
  ])
  return expected(organization, 'An organization just written')
}
