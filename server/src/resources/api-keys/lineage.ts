import { type Caller, outranks, type Role } from '../../access/caller.ts'
import { countLocks } from '../../access/locks.ts'
import { forbidden } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Emit, mostChanges, tooManyChanges } from '../../events/outbox.ts'
import type { Context } from '../../operations/route.ts'
import { isLive, keysWith, mayActOn, revokeKey } from './api-key.ts'

type WriteContext = Pick<Context, 'db' | 'now'> & {
  emit: Emit<'api_key.revoked'>
  orgId: string
  /** absent: the operator, who may revoke any key */
  caller?: Caller
}

/**
 * Revokes all keys that were made with a key, with those keys, and so on, whosever they are. Making a key locks the key in
 * use: so this waits for keys that are just being made, and finds them when it looks again.
 * @returns how many there were
 * @throws 403 when one of them is for somebody else to revoke
 */
export async function revokeDescendants(context: WriteContext, keyId: string): Promise<number> {
  const { orgId } = context
  const children = sql`api_keys.created_with = ${keyId}`
  for (let all = 0; ; ) {
    const more = await revokeAll(context, sql`api_keys.id in (${descending(orgId, children)})`)
    if (more === 0) return all
    all += more
  }
}

/**
 * Revokes keys of a promoted member whose secrets others know who could not make such keys now: keys made by members below
 * the new role, keys made with a key that such a member made for somebody else, and so on.
 */
export async function revokeKeysKnownBelow(context: WriteContext, memberId: string, role: Role): Promise<void> {
  const { orgId } = context
  const high = (['member', 'admin', 'owner'] as const).filter((other) => !outranks(role, other))
  const known = sql`api_keys.created_by <> api_keys.member_id and not exists (
    select from members where members.org_id = ${orgId} and members.id = api_keys.created_by
      and members.role = any(${high}) and members.status = 'active' and members.deleted_at is null)`
  await revokeAll(context, sql`api_keys.member_id = ${memberId} and api_keys.id in (${descending(orgId, known)})`)
}

/** Query: the ids of some keys, and of all that descend from them. */
const descending = (orgId: string, which: Sql): Sql => sql`
  with recursive descending as (
    select api_keys.id from api_keys where api_keys.org_id = ${orgId} and ${which}
    union
    select made.id from api_keys made join descending on made.created_with = descending.id where made.org_id = ${orgId})
  select descending.id from descending`

/** @returns how many there were. @throws 412 when there are more than one transaction takes */
async function revokeAll({ db, orgId, caller, emit, now }: WriteContext, which: Sql): Promise<number> {
  const living = sql`${isLive(now)} and ${which}`
  const holderIds = await holdersOf(db, orgId, living)
  const keys = await keysWith(db, orgId, living, 'no key update', { holderIds })
  if (caller && !keys.every((key) => mayActOn(caller, key))) {
    throw forbidden('A key that was made with it is for somebody else to revoke', 'key_not_yours')
  }
  for (const { holderRole: _, ...before } of keys) {
    emit('api_key.revoked', await revokeKey(db, orgId, before.id, now), { before, orgId })
  }
  return keys.length
}

/** Who holds keys, asked before any of them is locked. @throws 412 when there are too many of either */
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
