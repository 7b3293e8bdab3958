import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { forbidden, invalid, refused } from '../../http/errors.ts'
import { Id, Moment, Name, resource, Timestamp } from '../../http/fields.ts'
import { newKey } from '../../http/keys.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../http/page.ts'
import { type Caller, everyone, type Lock, type Role, route, type Scoped } from '../../http/route.ts'
import { leadsAll, queued } from '../access.ts'
import { member } from '../members/members.ts'
import { outranks } from '../members/rules.ts'

const scopes = z
  .array(z.enum(['read', 'write']))
  .min(1, 'Must have at least 1 item')
  .max(2, 'Must have at most 2 items')
  .refine((list) => new Set(list).size === list.length, 'Must not contain a scope twice')
  .meta({ description: 'What the key may do, within the role of its member.', uniqueItems: true })

const fields = {
  memberId: Id.meta({ description: 'Whose key it is.' }),
  name: Name.meta({ examples: ['Robot'] }),
  prefix: z
    .string()
    .regex(/^tw_[0-9A-Za-z]{26}$/)
    .meta({
      ...{ maxLength: 29, examples: ['tw_0Fn8kQ2mVd4Yb7Lr9sTgXa1234'] },
      description: 'Its first characters, to tell keys apart.',
    }),
  scopes,
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable().meta({ description: 'Kept to the minute.' }),
  revokedAt: Timestamp.nullable().meta({ examples: [null] }),
}

/** A key that identifies a member to the API. */
export const ApiKey = resource('ApiKey', 'A key that identifies a member to the API.', fields)
export type ApiKey = z.output<typeof ApiKey>

/** A key just made: the only answer that ever holds its secret. */
export const NewApiKeySecret = resource('NewApiKey', 'A key just made; the secret is never shown again.', {
  ...fields,
  secret: z
    .string()
    .regex(/^tw_[0-9A-Za-z]{58}$/)
    .meta({
      ...{ maxLength: 61, examples: ['tw_0Fn8kQ2mVd4Yb7Lr9sTgXa1234567890abcdefghijklmnopqrstuvwxyz'] },
      description: 'Send it as `Authorization: Bearer <secret>`.',
    }),
})

const NewApiKey = z.strictObject({
  name: Name,
  memberId: Id.optional().meta({ description: 'Default: yourself. For others: owners and admins.' }),
  scopes: scopes.optional(),
  expiresAt: Moment.nullable().optional(),
})

const Rotation = z.strictObject({
  overlapHours: z
    .int()
    .min(0)
    .max(720)
    .optional()
    .meta({ description: 'How long the old key still works; default 24.' }),
  expiresAt: Moment.nullable()
    .optional()
    .meta({ description: 'When the new key expires; default: after as long a life as the old one had.' }),
})

const columns = sql`api_keys.id, api_keys.member_id as "memberId", api_keys.name, api_keys.prefix,
  api_keys.scopes, api_keys.expires_at as "expiresAt", api_keys.last_used_at as "lastUsedAt",
  api_keys.revoked_at as "revokedAt", api_keys.version, api_keys.created_at as "createdAt",
  api_keys.updated_at as "updatedAt"`

const stored = table<ApiKey>(sql`api_keys`, columns)

const visible = (caller: Caller): Sql => sql`api_keys.org_id = ${caller.orgId}
  and ${leadsAll(caller) ? sql`true` : sql`api_keys.member_id = ${caller.memberId}`}`

/** One's own keys; to owners and admins all, of which they may act on those of members not above them. */
export const apiKey: Scoped<ApiKey> = {
  belongsTo: 'member',
  async find(db, caller, { ids, lock }) {
    const which = sql`${visible(caller)} and api_keys.id = any(${ids})`
    const [, rows] = await Promise.all([
      holdHolders(db, caller.orgId, lock, which),
      db.rows<ApiKey & { holderRole: Role }>(sql`
        select ${columns}, members.role as "holderRole" from api_keys
        join members on members.org_id = api_keys.org_id and members.id = api_keys.member_id
        where ${which} ${sql.lock(lock, sql`api_keys`)}`),
    ])
    return rows.map(({ holderRole, ...item }) => {
      const mayActOn = item.memberId === caller.memberId || !outranks(holderRole, caller.role)
      return { item, role: mayActOn ? 'lead' : 'viewer' }
    })
  },
}

/**
 * Holds the members whose keys are meant, in the order in which the removal of a member takes its turn: a write acts on a
 * key by the role that its holder has until it is committed.
 * @param which condition: the keys
 */
async function holdHolders(db: Db, orgId: string, lock: Lock, which: Sql): Promise<void> {
  if (lock === 'none') return
  const holders = sql`members.org_id = ${orgId} and members.id in (select api_keys.member_id from api_keys where ${which})`
  await db.rows(sql`
    select from members where ${queued(sql`members.id`, 'share', holders)} for no key update of members`)
}

export const apiKeys = [
  route('GET /api-keys', {
    summary: 'List API keys, newest first: your own; to owners and admins all',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery, memberId: Id.optional() }),
    returns: offsetPageOf(ApiKey),
    handle: ({ db, caller, query }) => {
      const ofMember = query.memberId === undefined ? undefined : sql`api_keys.member_id = ${query.memberId}`
      const from = sql`api_keys where ${sql.all(visible(caller), ofMember)}`
      const order = sql`api_keys.created_at desc, api_keys.id desc`
      return offsetPage<ApiKey>(db, { columns, from, order }, query)
    },
  }),

  route('POST /api-keys', {
    summary: 'Make an API key; the answer alone holds its secret',
    roles: everyone,
    body: NewApiKey,
    references: { memberId: { to: member, needs: 'lead', lock: 'share' } },
    cases: [{ when: 'for oneself', roles: everyone }],
    returns: NewApiKeySecret,
    created: ({ id }) => `/api-keys/${id}`,
    secret: true,
    async handle({ db, caller, body, emit, now }) {
      refuseWider(caller, body.scopes ?? caller.scopes)
      refusePast(body.expiresAt, now)
      const key = newKey(caller.orgId)
      const { memberId = caller.memberId, scopes = caller.scopes, name, expiresAt } = body
      const created = await storeKey(db, caller.orgId, key, { memberId, name, scopes, expiresAt }, now)
      emit('api_key.created', created)
      return { ...created, secret: key.secret }
    },
  }),

  route('GET /api-keys/{id}', {
    summary: 'Read an API key, without its secret',
    roles: everyone,
    at: apiKey,
    returns: ApiKey,
    handle: ({ at }) => at,
  }),

  route('POST /api-keys/{id}/rotate', {
    summary: 'Make the successor of an API key; the old one works on for a while',
    roles: everyone,
    at: apiKey,
    needs: 'lead',
    body: Rotation,
    returns: NewApiKeySecret,
    created: ({ id }) => `/api-keys/${id}`,
    secret: true,
    async handle({ db, caller, at, body, emit, now }) {
      refuseWider(caller, at.scopes)
      refusePast(body.expiresAt, now)
      if (at.revokedAt !== null) throw refused('The key is revoked', 'api_key_revoked')
      const [holder] = await member.find(db, caller, { ids: [at.memberId], lock: 'share' })
      if (holder === undefined) throw refused('The member whose key it is was removed', 'member_removed')
      const key = newKey(caller.orgId)
      const { memberId, name, scopes } = at
      const expiresAt = body.expiresAt === undefined ? sameLife(at, now) : body.expiresAt
      const created = await storeKey(db, caller.orgId, key, { memberId, name, scopes, expiresAt }, now)
      const endsAt = later(now, (body.overlapHours ?? 24) * 3_600_000)
      const until = at.expiresAt !== null && at.expiresAt < endsAt ? at.expiresAt : endsAt
      const replaced = await stored.update(db, caller.orgId, at.id, { expiresAt: until }, now)
      emit('api_key.updated', replaced, { before: at })
      emit('api_key.created', created)
      return { ...created, secret: key.secret }
    },
  }),

  route('DELETE /api-keys/{id}', {
    summary: 'Revoke an API key at once; it stays listed',
    roles: everyone,
    at: apiKey,
    needs: 'lead',
    async handle({ db, caller, at, emit, now }) {
      if (at.revokedAt !== null) return
      const revoked = await revokeKey(db, caller.orgId, at.id, now)
      emit('api_key.revoked', revoked, { before: at })
    },
  }),
]

interface NewKey {
  memberId: string
  name: string
  scopes: readonly string[]
  expiresAt?: string | null | undefined
}

/** Stores a key: of its secret only the hash. */
export const storeKey = (db: Db, orgId: string, key: ReturnType<typeof newKey>, fields: NewKey, now: string) =>
  stored.insert(db, orgId, { ...fields, prefix: key.prefix, secretHash: key.hash }, now)

/** Revokes a key from now on. */
export const revokeKey = (db: Db, orgId: string, id: string, now: string) =>
  stored.update(db, orgId, id, { revokedAt: now }, now)

function refuseWider(caller: Caller, wanted: readonly string[]): void {
  if (wanted.every((scope) => caller.scopes.includes(scope))) return
  throw forbidden('Nobody makes a key of wider scopes than the one in use', 'wider_scopes')
}

function refusePast(expiresAt: string | null | undefined, now: string): void {
  if (expiresAt && expiresAt <= now) throw invalid({ expiresAt: ['Must lie in the future'] })
}

const later = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()

const sameLife = ({ expiresAt, createdAt }: ApiKey, now: string) =>
  expiresAt === null ? null : later(now, Date.parse(expiresAt) - Date.parse(createdAt))
