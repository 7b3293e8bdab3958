import { tokenHash } from '../access/sessions.ts'
import { refused, unauthorized } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { erasePersonWithoutMembers } from './erasing.ts'
import { type LinkedMember, linkMember } from './links.ts'
import { createPerson, hasWayIn, lockPerson, type Person, verifyEmail } from './persons.ts'

/** An invitation: by the token in its link, by the hash of that token, or by its id. */
type InvitationReference = { token: string } | { hash: Buffer } | { orgId: string; id: string }

/** An invitation that still works, with what its page shows. */
interface OpenInvitation extends LinkedMember {
  id: string
  organization: string
  name: string
  email: string
  role: string
  /** the person who signs in as this member so far */
  personId: string | null
  invitedBy: string | null
  /** whether the token was mailed to the address of the member, so that it proves the address */
  isMailed: boolean
}

interface InvitationRow extends OpenInvitation {
  isRevoked: boolean
  isAccepted: boolean
  isExpired: boolean
  isDeactivated: boolean
}

/** The invitations that are open for an address, oldest first. */
export const openInvitationsFor = (db: Db, email: string, now: string): Promise<{ orgId: string; id: string }[]> =>
  db.rows(sql`
    select invitations.org_id as "orgId", invitations.id from invitations
    join members on members.org_id = invitations.org_id and members.id = invitations.member_id
    join organizations on organizations.org_id = invitations.org_id and organizations.deleted_since is null
    where members.email = ${email.toLowerCase()} and members.status = 'active' and members.deleted_at is null
      and members.person_id is null and invitations.deleted_at is null and invitations.accepted_at is null
      and invitations.expires_at > ${now}
    order by invitations.created_at, invitations.id limit 100`)

/**
 * Finds an invitation that still works.
 * @throws 412 `link_invalid` or `already_joined`
 */
export async function findInvitation(db: Db, which: InvitationReference, now: string): Promise<OpenInvitation> {
  const isWrong = sql`${'token' in which && which.token.length > 100}`
  const hash = hashIn(which)
  const condition =
    'orgId' in which
      ? sql`invitations.org_id = ${which.orgId} and invitations.id = ${which.id}`
      : sql`(invitations.token_hash = ${hash} or invitations.mail_token_hash = ${hash})`
  const row = await db.row<InvitationRow>(sql`
    select invitations.org_id as "orgId", invitations.id, invitations.member_id as "memberId",
      organizations.name as organization, members.name, members.email, members.role, members.person_id as "personId",
      inviting.name as "invitedBy", coalesce(invitations.mail_token_hash = ${hash}, false) as "isMailed",
      invitations.deleted_at is not null or members.deleted_at is not null or organizations.deleted_since is not null
        or ${isWrong} as "isRevoked",
      invitations.accepted_at is not null as "isAccepted", invitations.expires_at <= ${now} as "isExpired",
      members.status <> 'active' as "isDeactivated"
    from invitations
    join organizations on organizations.org_id = invitations.org_id
    join members on members.org_id = invitations.org_id and members.id = invitations.member_id
    left join members inviting on inviting.org_id = invitations.org_id and inviting.id = invitations.created_by
    where ${condition} limit 1`)
  if (row === undefined || row.isRevoked)
    throw refused('This invitation does not work, or a newer one replaced it; ask for a new one', 'link_invalid')
  if (row.isAccepted) throw refused('This invitation was accepted before; sign in instead', 'already_joined')
  if (row.isExpired) throw refused('This invitation has expired; ask for a new one', 'link_invalid')
  if (row.isDeactivated)
    throw refused('The member of this invitation was deactivated; ask an owner or admin', 'link_invalid')
  const { isRevoked, isAccepted, isExpired, isDeactivated, ...open } = row
  return open
}

function hashIn(which: InvitationReference): Buffer | null {
  if ('token' in which) return tokenHash(which.token)
  return 'hash' in which ? which.hash : null
}

/** The person who accepts: one who exists, or one to create. */
interface AcceptingPerson {
  /** absent: somebody new */
  personId?: string
  /** of somebody new; default: the name of the member */
  name?: string | undefined
}

/** An accepted invitation. */
interface AcceptedInvitation extends LinkedMember {
  id: string
  personId: string
  isNewPerson: boolean
}

/**
 * Accepts an invitation: the person signs in as its member from now on. Only one of two concurrent requests does. The caller
 * writes the events.
 * @throws 412 `link_invalid`, `already_joined`, `other_person` or `sign_in_first`
 */
export async function acceptInvitation(
  db: Db,
  which: InvitationReference,
  accepting: AcceptingPerson,
  now: string,
): Promise<AcceptedInvitation> {
  const { orgId, memberId, id } = await findInvitation(db, which, now)
  // first the person, so that nobody accepts two places of one organization at the same time
  const existing = accepting.personId === undefined ? undefined : await lockExisting(db, accepting.personId)
  // then the member, as a removal does
  await db.rows(sql`select id from members where org_id = ${orgId} and id = ${memberId} for no key update`)
  await db.rows(sql`select id from invitations where org_id = ${orgId} and id = ${id} for update`)
  const open = await findInvitation(db, which, now)
  if (existing !== undefined) await refuseOtherMember(db, open, existing.id)
  if (open.personId !== null && open.personId !== existing?.id) await unlinkFormer(db, open, open.personId, now)
  const person = existing ?? (await newPerson(db, open, accepting, now))
  if (existing !== undefined) await verifyByMail(db, open, existing, now)
  await linkMember(db, open, person, now)
  if (open.isMailed)
    await db.rows(sql`update members set email_verified = true where org_id = ${orgId} and id = ${memberId}`)
  await db.rows(sql`
    update invitations set accepted_at = ${now}, version = version + 1, updated_at = greatest(updated_at, ${now})
    where org_id = ${orgId} and id = ${id}`)
  return { orgId, memberId, id, personId: person.id, isNewPerson: existing === undefined }
}

/** Whether a person can accept as themselves: they are no other member of the organization. */
export async function canAccept(db: Db, { orgId, memberId }: LinkedMember, personId: string): Promise<boolean> {
  const other = await db.row(sql`
    select id from members where org_id = ${orgId} and person_id = ${personId} and id <> ${memberId}
      and deleted_at is null`)
  return other === undefined
}

async function refuseOtherMember(db: Db, invitation: OpenInvitation, personId: string): Promise<void> {
  if (await canAccept(db, invitation, personId)) return
  throw refused(
    `You are signed in as another member of ${invitation.organization}; sign out, then open the link again`,
    'other_person',
  )
}

/**
 * Unlinks the person who joined before but has no way in left. An invitation never signs in as that person: the admin who made
 * the link would then enter the other organizations of that person.
 */
async function unlinkFormer(db: Db, { orgId, memberId }: LinkedMember, personId: string, now: string): Promise<void> {
  await lockPerson(db, personId)
  if (await hasWayIn(db, personId)) throw refused('Somebody signs in as this member already', 'already_joined')
  await db.rows(sql`update members set person_id = null where org_id = ${orgId} and id = ${memberId}`)
  await erasePersonWithoutMembers(db, personId, now)
}

/** The person of a session. @throws 401 if the person was erased meanwhile */
async function lockExisting(db: Db, personId: string): Promise<Person> {
  const person = await lockPerson(db, personId)
  if (person === undefined) throw unauthorized()
  return person
}

/** A mailed token proves the address of the person who opens it, too. */
async function verifyByMail(db: Db, { email, isMailed }: OpenInvitation, person: Person, now: string): Promise<void> {
  if (isMailed && (person.email === null || person.email === email)) await verifyEmail(db, person.id, email, now)
}

async function newPerson(db: Db, open: OpenInvitation, accepting: AcceptingPerson, now: string) {
  const { email, isMailed: emailVerified } = open
  // only the mailed token says this: another reader of the link must not learn who signs in on this instance
  const known =
    emailVerified && (await db.row(sql`select id from persons where email = ${email} and email_verified`)) !== undefined
  if (known) throw refused('You sign in on this server already; sign in, then open the link again', 'sign_in_first')
  return createPerson(db, { name: accepting.name ?? open.name, email, emailVerified }, now)
}
