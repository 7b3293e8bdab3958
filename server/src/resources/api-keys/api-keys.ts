import { z } from 'zod'
import { type Caller, everyone, withoutMe } from '../../access/caller.ts'
import { newKey } from '../../access/keys.ts'
import { refuseUnlessRecent } from '../../access/sessions.ts'
import { forbidden, invalid, refused, unauthorized } from '../../contract/errors.ts'
import { flag, Id, Moment, Name, severalIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { member } from '../member.ts'
import {
  ApiKey,
  apiKey,
  madeUntil,
  mostLiveKeys,
  NewApiKeySecret,
  refuseIfManyKeys,
  revokeKey,
  Scopes,
  seesKey,
  storedKeys,
  storeKey,
  visibleTo,
} from './api-key.ts'
import { asLong, expiryOf, later } from './expiry.ts'
import { revokeDescendants } from './lineage.ts'

/** @throws 403 */
function refuseWider(caller: Caller, wanted: readonly string[]): void {
  if (wanted.every((scope) => caller.scopes.includes(scope))) return
  throw forbidden('A new key cannot have more scopes than the key you use', 'wider_scopes')
}

const NewApiKey = z.strictObject({
  name: Name,
  memberId: Id.optional().meta({
    description:
      'The member that the key is for. Default: you. Only owners and admins can create keys for other members.',
  }),
  scopes: Scopes.optional(),
  expiresAt: Moment.nullable().optional().meta({
    description: 'When the key expires, not later than the key you use. Default: together with that key. Null: never.',
  }),
})

const Rotation = z.strictObject({
  overlapHours: z
    .int()
    .min(0)
    .max(720)
    .optional()
    .meta({ description: 'How many hours the old key still works. Default: 24. For the key you use, at least 1.' }),
  expiresAt: Moment.nullable()
    .optional()
    .meta({
      description:
        'When the new key expires, not later than the key you use. By default, it gets the same lifetime as the old ' +
        'key, but never outlives the key you use. Null: never.',
    }),
})

const leavesNobody =
  'Must be at least 1 for the key you use: if the response is lost, only this key can request it again'

export const apiKeys = [
  route('GET /api-keys', {
    name: 'apiKeys.list',
    summary: 'List API keys',
    description: 'Newest first. Owners and admins see all keys, other members only their own.',
    roles: everyone,
    query: z.strictObject({
      ...offsetQuery,
      memberId: severalIds(['me'], {
        description: 'Only keys of these members. `me` stands for you.',
        means: '',
      }).optional(),
    }),
    returns: offsetPageOf(ApiKey),
    async handle({ db, caller, query }) {
      const ofMember = query.memberId && isAnyOf(sql`api_keys.member_id`, withoutMe(caller, query.memberId))
      const from = sql`api_keys where ${sql.all(seesKey(caller), ofMember)}`
      const order = sql`api_keys.created_at desc, api_keys.id desc`
      const { data, total } = await offsetPage<ApiKey>(db, { columns: storedKeys.columns, from, order }, query)
      return { data: data.map(visibleTo(caller)), total }
    },
  }),

  route('POST /api-keys', {
    name: 'apiKeys.create',
    summary: 'Create an API key',
    description:
      'Only this response shows the secret. The key never outlives the key you use. A member can have at most ' +
      `${mostLiveKeys} valid keys.`,
    roles: everyone,
    body: NewApiKey,
    references: { memberId: { to: member, needs: 'lead', lock: 'no key update' } },
    cases: [{ when: 'for yourself', roles: everyone }],
    returns: NewApiKeySecret,
    created: ({ id }) => `/api-keys/${id}`,
    secret: true,
    emits: ['api_key.created'],
    async handle({ db, caller, body, emit, now }) {
      const { memberId = caller.memberId, scopes = caller.scopes, name } = body
      refuseWider(caller, scopes)
      await member.load(db, caller, { ids: [memberId], lock: 'no key update' })
      await refuseIfManyKeys(db, caller.orgId, memberId, now)
      const expiresAt = expiryOf(body.expiresAt, null, await heldInUse(db, caller), now)
      if (expiresAt === null) refuseUnlessRecent(caller)
      const key = newKey(caller.orgId)
      const created = await storeKey(db, caller.orgId, key, { memberId, name, scopes, expiresAt, by: caller }, now)
      emit('api_key.created', created)
      return { ...created, secret: key.secret }
    },
  }),

  route('GET /api-keys/{id}', {
    name: 'apiKeys.get',
    summary: 'Get an API key',
    description: 'The response does not show the secret.',
    roles: everyone,
    target: apiKey,
    returns: ApiKey,
    handle: ({ target, caller }) => visibleTo(caller)(target),
  }),

  route('POST /api-keys/{id}/rotate', {
    name: 'apiKeys.rotate',
    summary: 'Rotate an API key',
    description:
      'Creates a successor with a new secret. The old key works for another `overlapHours`. Only this response ' +
      'shows the new secret. The successor never outlives the key you use: if an expiring key rotates itself, the ' +
      'new key expires at the same time.',
    roles: everyone,
    target: apiKey,
    needs: 'lead',
    body: Rotation,
    returns: NewApiKeySecret,
    created: ({ id }) => `/api-keys/${id}`,
    secret: true,
    emits: ['api_key.updated', 'api_key.created'],
    async handle({ db, caller, target, body, emit, now }) {
      refuseWider(caller, target.scopes)
      if (target.id === caller.keyId && body.overlapHours === 0) throw invalid({ overlapHours: [leavesNobody] })
      if (target.revokedAt !== null) throw refused('The key is revoked', 'api_key_revoked')
      const [holder] = await member.load(db, caller, { ids: [target.memberId], lock: 'no key update' })
      if (holder === undefined) throw refused('The member that the key belongs to was removed', 'member_removed')
      await refuseIfManyKeys(db, caller.orgId, target.memberId, now, target.id)
      const inUse = target.id === caller.keyId ? target : await heldInUse(db, caller)
      const otherwise = asLong(target.createdAt, await madeUntil(db, caller.orgId, target.id), now)
      const expiresAt = expiryOf(body.expiresAt, otherwise, inUse, now)
      if (expiresAt === null) refuseUnlessRecent(caller)
      const key = newKey(caller.orgId)
      const { memberId, name, scopes } = target
      const created = await storeKey(db, caller.orgId, key, { memberId, name, scopes, expiresAt, by: caller }, now)
      const endsAt = later(now, (body.overlapHours ?? 24) * 3_600_000)
      const until = target.expiresAt !== null && target.expiresAt < endsAt ? target.expiresAt : endsAt
      const replaced = await storedKeys.update(db, caller.orgId, target.id, { expiresAt: until }, now)
      emit('api_key.updated', replaced, { before: target })
      emit('api_key.created', created)
      return { ...created, secret: key.secret }
    },
  }),

  route('DELETE /api-keys/{id}', {
    name: 'apiKeys.delete',
    summary: 'Revoke an API key',
    description:
      'The key stops working at once. Keys that were created with it are also revoked, and so on, even if they ' +
      'belong to other members. The key you use is not revoked, unless its id is in the path. With ' +
      '`descendants=false`, only the key in the path is revoked. A revoked key stays in the list for 30 days, or ' +
      'longer while a key that was created with it exists.',
    roles: everyone,
    target: apiKey,
    needs: 'lead',
    query: z.strictObject({
      descendants: flag
        .optional()
        .meta({ description: 'Whether to also revoke the keys that were created with this key. Default: true.' }),
    }),
    answerHeaders: ['Revoked-Keys'],
    emits: ['api_key.revoked'],
    async handle({ db, caller, target, query, emit, now }) {
      const isNew = target.revokedAt === null
      if (isNew) {
        const revoked = await revokeKey(db, caller.orgId, target.id, now)
        emit('api_key.revoked', revoked, { before: target })
      }
      const context = { db, orgId: caller.orgId, caller, emit, now }
      const descendants = query.descendants === false ? 0 : await revokeDescendants(context, target.id)
      return { answerHeaders: { 'revoked-keys': String(Number(isNew) + descendants) } }
    },
  }),
]

/**
 * Locks the key in use, so that no key is created with a key that is being revoked. A session sets no limit.
 * @throws 401 when the key was revoked in the meantime
 */
async function heldInUse(db: Db, { orgId, keyId }: Caller): Promise<{ expiresAt: string | null }> {
  if (keyId === null) return { expiresAt: null }
  const inUse = await db.row<{ expiresAt: string | null }>(sql`
    select expires_at as "expiresAt" from api_keys
    where org_id = ${orgId} and id = ${keyId} and revoked_at is null for share`)
  if (inUse === undefined) throw unauthorized()
  return inUse
}
