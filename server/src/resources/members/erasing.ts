import { operator } from '../../access/caller.ts'
import type { Loader } from '../../access/loader.ts'
import { refused } from '../../contract/errors.ts'
import { formerMember } from '../../contract/former-member.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { nilId } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'
import type { WriteContext } from '../../operations/context.ts'
import { leavePerson } from '../../persons/erasing.ts'
import { isLive } from '../api-keys/api-key.ts'
import { revokeAtOnce, revokeKeysKnownTo } from '../api-keys/lineage.ts'
import { type Member, presentOrRemoved, storedMembers } from '../member.ts'
import { afterWritersOf, type RemovalEvent, removeMember } from './removing.ts'

/** Loads a member to erase, removed or not. */
export const erasableMember: Loader<Member> = afterWritersOf(presentOrRemoved)

/** `erasableMember` for the operator, whose role is not checked. */
export async function lockForErasure(db: Db, orgId: string, id: string): Promise<Member> {
  const asking = { orgId, memberId: nilId, keyId: nilId, role: operator, scopes: [], credential: '' } as const
  const [found] = await erasableMember.load(db, asking, { ids: [id], lock: 'update' })
  return expected(found, 'A member').item
}

/**
 * Erases the name and the e-mail address of a member for good, and removes the member unless already removed. The person who
 * signs in as this member is erased, too, unless they are a member elsewhere. It notes that copies exist outside the row: a job
 * erases those (see `takeNamesOff`).
 * @returns the member from now on
 * @throws 412 when it was erased before, or is the last active owner
 */
export async function eraseMember(
  context: WriteContext<RemovalEvent | 'member.erased'>,
  target: Member,
): Promise<Member> {
  const { db, orgId, emit, now } = context
  const { id } = target
  const { removed, erased } = expected(
    await db.row<{ removed: boolean; erased: boolean }>(sql`
      select deleted_at is not null as removed, erased_at is not null as erased from members
      where org_id = ${orgId} and id = ${id}`),
    'A member that is held',
  )
  if (erased) throw alreadyErased()
  const nameless = { name: formerMember.name, email: formerMember.email(id), timezone: null }
  if (removed) await revokeKeysKnownTo(context, id, undefined)
  else await removeMember(context, target, { ...target, ...nameless })
  await revokeKeysOf(context, id)
  await leavePerson(db, orgId, id, now)
  await forgetMail(db, orgId, target)
  const fields = { ...nameless, erasedAt: now }
  const after = await storedMembers.update(db, orgId, id, fields, now)
  await db.rows(sql`insert into erasures ${sql.values({ orgId, id, createdAt: now })}`)
  emit('member.erased', after)
  return after
}

/** Deletes mail to the address: all that was sent, and the invitation that waits. Other mail may be for another member. */
async function forgetMail(db: Db, orgId: string, { id, email }: Member): Promise<void> {
  const invitations = await db.rows<{ id: string }>(sql`
    select id from invitations where org_id = ${orgId} and member_id = ${id}`)
  const ids = invitations.map((one) => one.id)
  await db.rows(sql`
    delete from outgoing_mail where recipient = ${email} and (next_try_at is null or data ->> 'id' = any(${ids}::text[]))`)
}

/** Revokes the keys of the member. Live keys lose the name of the member, too. */
async function revokeKeysOf(context: WriteContext<'api_key.revoked'>, memberId: string) {
  const { db, orgId, now } = context
  const which = sql`api_keys.member_id = ${memberId}`
  await db.rows(sql`
    update api_keys set name = ${formerMember.keyName} where api_keys.org_id = ${orgId} and ${isLive(now)} and ${which}`)
  await revokeAtOnce(context, which)
}

/** @throws 412 for an erased member */
export async function refuseIfErased(db: Db, orgId: string, id: string): Promise<void> {
  const erased = await db.row(sql`
    select id from members where org_id = ${orgId} and id = ${id} and erased_at is not null`)
  if (erased) throw alreadyErased()
}

const alreadyErased = () => refused('The member was erased and cannot be restored', 'member_erased')
