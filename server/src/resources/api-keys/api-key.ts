import { z } from 'zod'
import { type Caller, outranks, type Role } from '../../access/caller.ts'
import type { newKey } from '../../access/keys.ts'
import type { Loader } from '../../access/loader.ts'
import { advisoryLock } from '../../access/locks.ts'
import { leadsAll } from '../../access/visibility.ts'
import { refused } from '../../contract/errors.ts'
import { eachOnce, Id, Name, resource, Timestamp } from '../../contract/fields.ts'
import { atLeast, type Fields } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import type { RowLock } from '../../db/sql.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'

/** The rights of a key: to read, to write, or both. */
export const Scopes = eachOnce(
  z
    .array(z.enum(['read', 'write']))
    .min(1, 'Must have at least 1 item')
    .max(2, 'Must have at most 2 items')
    .meta({ description: 'The permissions of the key. They never exceed the role of its member.' }),
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

/** An API key, as it is stored and shown. */
export const ApiKey = resource('ApiKey', 'A key that identifies a member to the API.', fields)
export type ApiKey = z.output<typeof ApiKey>

/** A new key: the only response that contains its secret. */
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

/** The table of keys. A key is not purged before the keys that it created: revoking it still revokes those. */
export const storedKeys = table('api_keys', ApiKey, {
  noun: 'api_key',
  tells: { revoked: 'An API key was revoked. It no longer works, but it stays in the list.' },
  needs: { createdWith: ['createdBy'] },
  refersTo: { memberId: 'members', createdBy: 'members', createdWith: 'api_keys' },
  goneSince: (row) => sql`least(${row}.revoked_at, ${row}.expires_at)`,
})

/** Hides `createdWith` from a caller who is neither an owner or admin nor the creator of the key. */
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

/** A key, with the role of its member. */
export type HeldKey = ApiKey & { holderRole: Role }

/** Whether the caller may change a key: their own, or as an owner or admin a key of a member not above them. */
export const mayActOn = (caller: Caller, { memberId, holderRole }: HeldKey): boolean =>
  memberId === caller.memberId || (leadsAll(caller) && !outranks(holderRole, caller.role))

/**
 * Loads keys by id. Members see their own keys. Owners and admins see all keys, and change those of members not above
 * them.
 */
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
 * Keys with the roles of their members. With a lock, this locks the members before the keys, so that no role changes
 * until the commit. It takes these locks in the same order as the removal of a member.
 * @param which condition: the keys
 * @param holderIds their members, if known: saves a second search
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
  /** absent: no member created it */
  by?: Pick<Caller, 'memberId' | 'keyId'>
}

/** Stores a key, with only the hash of its secret. */
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
 * The expiry that a key got when it was created, even if a rotation shortened it since; null: never. The previous
 * version did not store it (`-infinity`): then the current expiry is used.
 */
export async function madeUntil(db: Db, orgId: string, id: string): Promise<string | null> {
  const row = await db.row<{ madeUntil: string | null }>(sql`
    select case when made_until = '-infinity' then expires_at else made_until end as "madeUntil"
    from api_keys where org_id = ${orgId} and id = ${id}`)
  return expected(row, 'A key that is held').madeUntil
}

/** Revokes a key. */
export const revokeKey = (db: Db, orgId: string, id: string, now: string) =>
  storedKeys.update(db, orgId, id, { revokedAt: now }, now)

/** The most valid keys of a member. */
export const mostLiveKeys = 100

/**
 * Refuses another key if the member has too many live ones. The caller has locked the member.
 * @param except the key that is about to be replaced
 * @throws 412
 */
export async function refuseIfManyKeys(
  db: Db,
  orgId: string,
  memberId: string,
  now: string,
  except: string | null = null,
) {
  const { live } = expected(
    await db.row<{ live: number }>(sql`
      select count(*)::int as live from api_keys
      where api_keys.org_id = ${orgId} and api_keys.member_id = ${memberId} and ${isLive(now)}
        and api_keys.id is distinct from ${except}`),
    'The count of keys',
  )
  if (live < mostLiveKeys) return
  throw refused(`A member can have at most ${mostLiveKeys} valid API keys; revoke one first`, 'too_many_api_keys')
}
