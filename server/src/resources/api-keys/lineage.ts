import { outranks, type Role } from '../../access/caller.ts'
import { countLocks } from '../../access/locks.ts'
import { forbidden, refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { nilId } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { forEachInSteps } from '../../db/steps.ts'
import { mostChanges, tooManyChanges } from '../../events/outbox.ts'
import type { WriteContext } from '../../operations/context.ts'
import { type HeldKey, isLive, keysWith, mayActOn, storedKeys } from './api-key.ts'

// without a caller, the operator acts and may revoke any key
type RevokeContext = WriteContext<'api_key.revoked'>

/**
 * Revokes all keys that were created with a key, the keys created with those, and so on, of all members. A request that
 * creates a key locks the key in use. So this waits for that request, and finds the new key in the next round. It keeps
 * the key in use and its descendants: a caller can rotate a leaked key and revoke it with the successor.
 * @returns how many keys it revoked
 * @throws 403 when the caller cannot revoke one of them
 */
export async function revokeDescendants(context: RevokeContext, keyId: string): Promise<number> {
  const { orgId, caller } = context
  const inUse = caller?.keyId ?? nilId
  const children = sql`api_keys.created_with = ${keyId} and api_keys.id <> ${inUse}`
  for (let all = 0; ; ) {
    const more = await revokeAll(context, sql`api_keys.id in (${descending(orgId, children, inUse)})`)
    if (more === 0) return all
    all += more
  }
}

/**
 * Revokes keys of a promoted member that their creators could not create now, because the creators know the secrets.
 * These creators are below the new role, deactivated or removed. It also revokes the keys that descend from such keys.
 */
export async function revokeKeysKnownBelow(context: RevokeContext, memberId: string, role: Role): Promise<void> {
  const { db, orgId } = context
  // a concurrent demotion of one of them waits for this lock, and then sees the promotion
  await db.rows(sql`
    select members.id from members where members.org_id = ${orgId} and members.id <> ${memberId} and members.id in (
      select api_keys.created_by from api_keys where api_keys.org_id = ${orgId} and api_keys.member_id = ${memberId})
    order by members.id for share`)
  const high = roles.filter((other) => !outranks(role, other))
  const known = sql`api_keys.created_by <> api_keys.member_id and not exists (
    select from members where members.org_id = ${orgId} and members.id = api_keys.created_by
      and members.role = any(${high}) and members.status = 'active' and members.deleted_at is null)`
  await revokeAll(context, sql`api_keys.member_id = ${memberId} and api_keys.id in (${descending(orgId, known)})`)
}

/**
 * Revokes keys whose secrets a member knows, when that member loses rights. These are keys that it created for members
 * who are now above it, and their descendants that belong to members above it. A deactivated or removed member is below
 * everybody. Then only descendants that belong to owners and admins are revoked, because all keys descend from the
 * first one. The key in use stays if somebody else created it. Its successor descends from it, and must not be
 * refused, too.
 * @param role the new role; undefined: the member is deactivated or removed
 * @throws 412 when the member created the key in use and it would be revoked, or when no owner would have a key
 */
export async function revokeKeysKnownTo(
  context: RevokeContext,
  memberId: string,
  role: Role | undefined,
): Promise<void> {
  const { db, orgId, caller, now } = context
  const made = sql`api_keys.created_by = ${memberId} and api_keys.member_id <> ${memberId}`
  const known = sql`api_keys.id = any(array(${descending(orgId, made)})) and api_keys.member_id <> ${memberId} and (
    (${made} and ${heldAbove(orgId, role)}) or ${heldAbove(orgId, role ?? 'member')})`
  // a key being created holds a share lock on its parent: wait for it, so that the search below finds the new key
  await db.rows(sql`
    select id from api_keys where org_id = ${orgId} and member_id = ${memberId} order by id for no key update`)
  const inUse = caller?.keyId ?? nilId
  const ofIts = await db.row(sql`
    select id from api_keys where api_keys.org_id = ${orgId} and api_keys.id = ${inUse} and ${made} and ${known}`)
  if (ofIts) throw refused(madeInUse, 'key_made_by_member')
  let ofOwners = false
  for (let more: HeldKey[] | undefined; more?.length !== 0; ) {
    more = await revokeAtOnce(context, sql`api_keys.id <> ${inUse} and ${known}`)
    ofOwners ||= more.some(({ holderRole }) => holderRole === 'owner')
  }
  if (caller && ofOwners) await keepAnOwnersKey(db, orgId, now)
}

const madeInUse =
  'The member that you change or remove created the key you use: rotate this key, then repeat the request with ' +
  'the new one'

/** Revokes keys without a check of the caller's rights, and without locks on their members: these may be many. */
export async function revokeAtOnce({ db, orgId, emit, now }: RevokeContext, which: Sql): Promise<HeldKey[]> {
  const living = await db.rows<{ id: string }>(sql`
    select id from api_keys where api_keys.org_id = ${orgId} and ${isLive(now)} and ${which}
    order by id limit ${mostChanges + 1} for no key update`)
  if (living.length > mostChanges) throw tooManyChanges()
  if (living.length === 0) return []
  const revoked = await db.rows<HeldKey>(sql`
    update api_keys set revoked_at = ${now}, version = version + 1, updated_at = greatest(updated_at, ${now})
    where api_keys.org_id = ${orgId} and api_keys.id = any(${living.map(({ id }) => id)})
    returning ${storedKeys.columns}, (
      select members.role from members where members.org_id = ${orgId} and members.id = api_keys.member_id) as "holderRole"`)
  const inOrder = revoked.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await forEachInSteps(orgId, inOrder, ({ holderRole: _, ...key }) =>
    emit('api_key.revoked', key, { before: { ...key, revokedAt: null }, orgId }),
  )
  return revoked
}

/** Condition: the member of the key is above a role. @param role undefined: below every role */
const heldAbove = (orgId: string, role: Role | undefined): Sql =>
  role === undefined
    ? sql`true`
    : sql`(select members.role from members where members.org_id = ${orgId} and members.id = api_keys.member_id)
        = any(${roles.filter((other) => outranks(other, role))})`

/** @throws 412 */
async function keepAnOwnersKey(db: Db, orgId: string, now: string): Promise<void> {
  const left = await db.row(sql`
    select api_keys.id from api_keys join members on members.org_id = ${orgId} and members.id = api_keys.member_id
    where api_keys.org_id = ${orgId} and ${isLive(now)} and members.role = 'owner' and members.status = 'active'
      and members.deleted_at is null limit 1`)
  if (left) return
  throw refused(
    'No owner would have a working key left, because this member created all of them. Ask another owner to ' +
      'rotate their own key and repeat the request with the new one',
    'last_owner_key',
  )
}

const roles = ['member', 'admin', 'owner'] as const

/** Query: the ids of some keys and of all their descendants. It leaves out `kept` and the descendants of `kept`. */
const descending = (orgId: string, which: Sql, kept: string = nilId): Sql => sql`
  with recursive descending as (
    select api_keys.id from api_keys where api_keys.org_id = ${orgId} and ${which}
    union
    select made.id from api_keys made join descending on made.created_with = descending.id
    where made.org_id = ${orgId} and made.id <> ${kept})
  select descending.id from descending`

/** @returns how many keys it revoked. @throws 412 when there are too many for one transaction */
async function revokeAll(context: RevokeContext, which: Sql): Promise<number> {
  const { db, orgId, caller, now } = context
  const living = sql`${isLive(now)} and ${which}`
  const holderIds = await holdersOf(db, orgId, living)
  const keys = await keysWith(db, orgId, living, 'no key update', { holderIds })
  if (caller && !keys.every((key) => mayActOn(caller, key))) {
    throw forbidden(
      'A key that was created with this one belongs to a member whose keys you cannot revoke; add ' +
        'descendants=false to revoke only this key',
      'key_not_yours',
    )
  }
  // by id, not by the condition: only these keys were checked
  await revokeAtOnce(context, sql`api_keys.id = any(${keys.map(({ id }) => id)})`)
  return keys.length
}

/** The members of some keys, read before any key is locked. @throws 412 when there are too many members or keys */
async function holdersOf(db: Db, orgId: string, which: Sql): Promise<string[]> {
  const holders = await db.rows<{ id: string; keys: number }>(sql`
    select member_id as id, count(*)::int as keys from (
      select api_keys.member_id from api_keys where api_keys.org_id = ${orgId} and ${which} limit ${mostChanges + 1}) held
    group by member_id`)
  if (holders.reduce((sum, { keys }) => sum + keys, 0) > mostChanges) throw tooManyChanges()
  const ids = holders.map(({ id }) => id)
  countLocks(db, ids)
  return ids
}
