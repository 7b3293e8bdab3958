import { type Sql, sql } from '../../db/sql.ts'
import { forbidden } from '../../http/errors.ts'
import type { Context, Role } from '../../http/route.ts'
import { outranks } from '../members/rules.ts'
import { isLive, keysWith, mayActOn, revokeKey } from './api-key.ts'

type Writing = Pick<Context, 'db' | 'caller' | 'emit' | 'now'>

/**
 * Revokes whatever was made with a key, with what was made with it, and so on, whosever it is. Who makes a key holds the one
 * in use, so what is being made with one of these is waited for, and found when they are looked for again.
 * @throws 403 when one of them is for somebody else to revoke
 */
export async function revokeDescendants(writing: Writing, keyId: string): Promise<void> {
  const { orgId } = writing.caller
  const children = sql`api_keys.created_with = ${keyId}`
  while ((await revokeAll(writing, sql`api_keys.id in (${descending(orgId, children)})`)) > 0);
}

/**
 * Revokes the keys of a member who is promoted that others know, who could not make them now: those made by members who do
 * not stand as high as the new role, or with a key that such a member made for somebody else, and so on.
 */
export async function revokeKeysKnownBelow(writing: Writing, memberId: string, role: Role): Promise<void> {
  const { orgId } = writing.caller
  const high = (['member', 'admin', 'owner'] as const).filter((other) => !outranks(role, other))
  const known = sql`api_keys.created_by <> api_keys.member_id and not exists (
    select from members where members.org_id = ${orgId} and members.id = api_keys.created_by
      and members.role = any(${high}) and members.status = 'active' and members.deleted_at is null)`
  await revokeAll(writing, sql`api_keys.member_id = ${memberId} and api_keys.id in (${descending(orgId, known)})`)
}

/** Query: the ids of some keys, and of all that descend from them. */
const descending = (orgId: string, which: Sql): Sql => sql`
  with recursive descending as (
    select api_keys.id from api_keys where api_keys.org_id = ${orgId} and ${which}
    union
    select made.id from api_keys made join descending on made.created_with = descending.id where made.org_id = ${orgId})
  select descending.id from descending`

/** @returns how many there were */
async function revokeAll({ db, caller, emit, now }: Writing, which: Sql): Promise<number> {
  const keys = await keysWith(db, caller.orgId, sql`${isLive(now)} and ${which}`, 'no key update')
  if (!keys.every((key) => mayActOn(caller, key))) {
    throw forbidden('A key that was made with it is for somebody else to revoke', 'key_not_yours')
  }
  for (const { holderRole: _, ...before } of keys) {
    emit('api_key.revoked', await revokeKey(db, caller.orgId, before.id, now), { before })
  }
  return keys.length
}
