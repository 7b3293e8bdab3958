import { z } from 'zod'
import { type Caller, outranks, type Role } from '../../access/caller.ts'
import type { newKey } from '../../access/keys.ts'
import type { Loader } from '../../access/loader.ts'
import { advisoryLock } from '../../access/locks.ts'
import { leadsAll } from '../../access/visibility.ts'
import { eachOnce, Id, Name, resource, Timestamp } from '../../contract/fields.ts'
import { atLeast, type Fields } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import type { RowLock } from '../../db/sql.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'

/** What a key may do. */
export const Scopes = eachOnce(
  z
    .array(z.enum(['read', 'write']))
    .min(1, 'Must have at least 1 item')
    .max(2, 'Must have at most 2 items')
    .meta({ description: 'What the key can do. It never allows more than the role of its member.' }),
  'a scope',
)

const fields = {
  memberId: Id.meta({ description: 'The member that the key belongs to.' }),
  name: Name.meta({ examples: ['Robot'] }),
  prefix: z
    .string()
    .regex(/^tw_[0-9A-Za-z]{26}$/)
    .meta({
      ...{ maxLength: 29, examples: ['tw_0Fn8kQ2mVd4Yb7Lr9sTgXa1234'] },
      description: 'The first characters of the secret, to tell keys apart.',
    }),
  scopes: Scopes,
  createdBy: Id.nullable().meta({
    description: 'The member who created the key. Null: the operator, or the command line.',
  }),
  createdWith: Id.nullable().meta({
    description: 'The key that was used to create this one. Only owners, admins and its creator see it.',
  }),
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable().meta({ description: 'When the key was last used, to the minute.' }),
  revokedAt: Timestamp.nullable().meta({ examples: [null] }),
}

/** A key that identifies a member to the API. */
export const ApiKey = resource('ApiKey', 'A key that identifies a member to the API.', fields)
export type ApiKey = z.output<typeof ApiKey>

/** A key just made: the only answer that ever holds its secret. */
export const NewApiKeySecret = resource('NewApiKey', 'A new API key. Its secret is never shown again.', {
  ...fields,
  secret: z
    .string()
    .regex(/^tw_[0-9A-Za-z]{58}$/)
    .meta({
      ...{ maxLength: 61, examples: ['tw_0Fn8kQ2mVd4Yb7Lr9sTgXa1234567890abcdefghijklmnopqrstuvwxyz'] },
      description: 'Send it as `Authorization: Bearer <secret>`.',
    }),
})

/** The table of keys. One that was made with another keeps that: it is still revoked with it. */
export const storedKeys = table('api_keys', ApiKey, {
  noun: 'api_key',
  tells: { revoked: 'An API key was revoked. It no longer works, but it stays in the list.' },
  needs: { createdWith: ['createdBy'] },
  refersTo: { memberId: 'members', createdBy: 'members', createdWith: 'api_keys' },
  goneSince: (row) => sql`least(${row}.revoked_at, ${row}.expires_at)`,
})

/** A key as this caller may see it: not everybody sees with which key another member's key was made. */
export const visibleTo =
  (caller: Caller) =>
  (key: ApiKey): ApiKey =>
    leadsAll(caller) || key.createdBy === caller.memberId ? key : { ...key, createdWith: null }

/** Condition: the caller sees the key. */
export const seesKey = (caller: Caller): Sql => sql`api_keys.org_id = ${caller.orgId}
  and ${leadsAll(caller) ? sql`true` : sql`api_keys.member_id = ${caller.memberId}`}`

/** Condition: the key is neither revoked nor expired. Its member may still be deactivated. */
export const isLive = (now: string): Sql =>
  sql`api_keys.revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > ${now})`

/** A key, and what its member is in the organization. */
export type HeldKey = ApiKey & { holderRole: Role }

/** Whether the caller may act on a key: their own, or that of a member who does not stand above them. */
export const mayActOn = (caller: Caller, { memberId, holderRole }: HeldKey): boolean =>
  memberId === caller.memberId || (leadsAll(caller) && !outranks(holderRole, caller.role))

/** A key by id: one's own; for owners and admins all, who may act on those of members not above them. */
export const apiKey: Loader<ApiKey> = {
  belongsTo: 'member',
  async load(db, caller, { ids, lock, fields }) {
    const which = sql`${seesKey(caller)} and api_keys.id = any(${ids})`
    const keys = await keysWith(db, caller.orgId, which, lock, { fields: atLeast(fields, 'memberId') })
    return keys.map((key) => {
      const { holderRole, ...item } = key
      return { item, role: mayActOn(caller, key) ? 'lead' : 'viewer' }
    })
  },
}

/**
 * Keys with the roles of their members. A write acts on a key by the role that its member has until it is committed: the
 * members are held first, in the order in which whoever removes one takes its turn.
 * @param which condition: the keys
 * @param holderIds their members, where these are known: what is long to find is then looked for once less
 */
export async function keysWith(
  db: Db,
  orgId: string,
  which: Sql,
  lock: RowLock,
  { fields, holderIds }: { fields?: Fields | undefined; holderIds?: readonly string[] } = {},
): Promise<HeldKey[]> {
  const hold = holderIds
    ? sql`members.id = any(${holderIds})`
    : sql`members.id in (select api_keys.member_id from api_keys where api_keys.org_id = ${orgId} and ${which})`
  const [, keys] = await Promise.all([
    lock === 'none' ? undefined : lockHolders(db, sql`members.org_id = ${orgId} and ${hold}`),
    db.rows<HeldKey>(sql`
      select ${storedKeys.columns.of(fields)}, members.role as "holderRole" from api_keys
      join members on members.org_id = api_keys.org_id and members.id = api_keys.member_id
      where api_keys.org_id = ${orgId} and ${which} order by api_keys.id ${sql.lock(lock, sql`api_keys`)}`),
  ])
  return keys
}

function lockHolders(db: Db, holders: Sql): Promise<unknown> {
  return db.rows(sql`
    select members.id from members where ${advisoryLock(sql`members.id`, 'share', holders)}
    order by members.id for no key update of members`)
}

interface NewKey {
  memberId: string
  name: string
  scopes: readonly string[]
  expiresAt?: string | null | undefined
  /** absent: nobody in the organization made it */
  by?: Caller
}

/** Stores a key: of its secret only the hash. */
export function storeKey(
  db: Db,
  orgId: string,
  key: ReturnType<typeof newKey>,
  { by, ...fields }: NewKey,
  now: string,
) {
  const made = by && { createdBy: by.memberId, createdWith: by.keyId }
  const own = { prefix: key.prefix, secretHash: key.hash, madeUntil: fields.expiresAt ?? null }
  return storedKeys.insert(db, orgId, { ...fields, ...made, ...own }, now)
}

/**
 * Until when a key was meant to be valid when it was made, even if a rotation shortened that; null: for ever. Of a key made
 * by the previous version this is not known at first; then it is when the key expires.
 */
export async function madeUntil(db: Db, orgId: string, id: string): Promise<string | null> {
  const row = await db.row<{ madeUntil: string | null }>(sql`
    select case when made_until = '-infinity' then expires_at else made_until end as "madeUntil"
    from api_keys where org_id = ${orgId} and id = ${id}`)
  return expected(row, 'A key that is held').madeUntil
}

/** Revokes a key from now on. */
export const revokeKey = (db: Db, orgId: string, id: string, now: string) =>
  storedKeys.update(db, orgId, id, { revokedAt: now }, now)
