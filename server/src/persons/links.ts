import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { createPerson } from './persons.ts'
import { makeToken, useToken } from './tokens.ts'

const linkLifetimeMs = 15 * 60_000

/** A member, as the operator names them for a link. */
export interface LinkedMember {
  orgId: string
  memberId: string
}

/** The URL that people open, without a slash at the end. It is localhost by default, because passkeys need a name. */
export const openedUrl = (publicUrl: string | undefined, port: number): string =>
  publicUrl ?? `http://localhost:${port}`

/** Makes a sign-in link for a member, which works once within 15 minutes. @param publicUrl without a slash at the end */
export async function makeSignInLink(db: Db, member: LinkedMember, publicUrl: string, now: string): Promise<string> {
  const token = await makeToken(db, 'link', member, linkLifetimeMs, now)
  // behind #, so that no server, log or Referer gets the token
  return `${publicUrl}/console/#welcome=${token}`
}

/**
 * Uses a sign-in link. If the member has no person yet, it creates one with the unverified address of the member.
 * @returns undefined if the link does not work or the member was deactivated or removed
 */
export async function useSignInLink(
  db: Db,
  token: string,
  now: string,
): Promise<{ personId: string; joined?: LinkedMember } | undefined> {
  const used = await useToken(db, 'link', token, now)
  if (used === undefined) return undefined
  const { orgId, memberId } = used
  if (orgId === null || memberId === null) return undefined
  const member = await db.row<{ name: string; email: string; personId: string | null }>(sql`
    select name, email, person_id as "personId" from members
    where org_id = ${orgId} and id = ${memberId} and status = 'active' and deleted_at is null for no key update`)
  if (member === undefined) return undefined
  if (member.personId !== null) return { personId: member.personId }
  const person = await createPerson(db, { ...member, emailVerified: false }, now)
  await linkMember(db, { orgId, memberId }, person, now)
  return { personId: person.id, joined: { orgId, memberId } }
}

/** Links a member to the person who joined as this member. The caller has locked the member and emits the event. */
export async function linkMember(
  db: Db,
  { orgId, memberId }: LinkedMember,
  person: { id: string; email: string | null; emailVerified: boolean },
  now: string,
): Promise<void> {
  await db.rows(sql`
    update members set person_id = ${person.id}, joined_at = coalesce(joined_at, ${now}),
      email_verified = coalesce(${person.emailVerified} and email = ${person.email}, false),
      version = version + 1, updated_at = greatest(updated_at, ${now})
    where org_id = ${orgId} and id = ${memberId}`)
}
