import { restorableMs } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import { nilId } from '../db/ids.ts'
import type { TransactionalDb } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { lockPerson } from './persons.ts'
import { endSessions } from './sessions.ts'

/**
 * Erases a person who is a member of no organization any more, with their passkeys, identities and sessions. Removed members
 * count while they can be restored.
 * @returns whether the person was erased
 */
export async function erasePersonWithoutMembers(db: Db, personId: string, now: string): Promise<boolean> {
  if ((await lockPerson(db, personId)) === undefined) return false
  const before = new Date(Date.parse(now) - restorableMs).toISOString()
  const member = await db.row(sql`
    select id from members where person_id = ${personId} and (deleted_at is null or deleted_at > ${before}) limit 1`)
  if (member !== undefined) return false
  await endSessions(db, sql`person_id = ${personId}`)
  await db.rows(sql`update members set person_id = null where person_id = ${personId}`)
  for (const table of ['passkeys', 'identities', 'sign_in_tokens'])
    await db.rows(sql`delete from ${sql.named(table)} where person_id = ${personId}`)
  await db.rows(sql`delete from persons where id = ${personId}`)
  return true
}

/** Unlinks an erased member from their person, and erases the person if this was their last membership. */
export async function leavePerson(db: Db, orgId: string, memberId: string, now: string): Promise<void> {
  const member = await db.row<{ personId: string | null }>(sql`
    select person_id as "personId" from members where org_id = ${orgId} and id = ${memberId}`)
  if (!member?.personId) return
  await db.rows(sql`
    update members set person_id = null, email_verified = false where org_id = ${orgId} and id = ${memberId}`)
  await erasePersonWithoutMembers(db, member.personId, now)
}

/**
 * Erases persons whose last organization was purged. No statement reads persons and members together, because on Citus they are on
 * different nodes.
 */
export async function eraseLeftPersons(db: TransactionalDb): Promise<void> {
  for (let last: string | undefined = nilId; last !== undefined; ) {
    const found: { id: string }[] = await db.rows(sql`
      select id from persons where id > ${last} order by id limit ${mostAtOnce}`)
    const ids = found.map(({ id }) => id)
    const linked = await db.rows<{ id: string }>(sql`
      select distinct person_id as id from members where person_id = any(${ids}::uuid[])`)
    const kept = new Set(linked.map(({ id }) => id))
    const now = new Date().toISOString()
    for (const id of ids.filter((one) => !kept.has(one)))
      await db.transaction((tx) => erasePersonWithoutMembers(tx, id, now))
    last = ids.length < mostAtOnce ? undefined : ids.at(-1)
  }
}

const mostAtOnce = 500
