import { randomBytes } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import { tokenHash } from '../../access/sessions.ts'
import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { queueMail } from '../../mail/queue.ts'
import type { LinkSettings, WriteContext } from '../../operations/context.ts'
import { hasWayIn } from '../../persons/persons.ts'
import type { Member } from '../member.ts'
import { endInvitation, type Invitation, type NewInvitation, storedInvitations } from './invitation.ts'

const lifetimeMs = 7 * 86_400_000

interface InvitingContext<Emitted extends string> extends WriteContext<Emitted | 'invitation.created'> {
  caller: Caller
  links: LinkSettings
}

/**
 * Invites a member, whom the caller has locked. The former invitation of the member ends.
 * @throws 412 if the member is deactivated or has joined and still has a way in
 */
export async function invite(context: InvitingContext<'invitation.deleted'>, member: Member): Promise<NewInvitation> {
  const { db, orgId } = context
  if (member.status !== 'active') throw refused('The member is deactivated; reactivate them first', 'member_not_active')
  await refuseIfJoined(db, orgId, member.id)
  await endInvitation(context, member.id)
  return createInvitation(context, member)
}

/** Creates the invitation of a member who has none. */
export async function createInvitation(
  { db, orgId, caller, emit, now, links }: InvitingContext<never>,
  member: Member,
): Promise<NewInvitation> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.parse(now) + lifetimeMs).toISOString()
  const mailedAt = links.mails ? now : null
  const row = { memberId: member.id, createdBy: caller.memberId, tokenHash: tokenHash(token), mailedAt, expiresAt }
  const created: Invitation = await storedInvitations.insert(db, orgId, row, now)
  emit('invitation.created', created)
  const mail = { cause: `invitation:${created.id}`, kind: 'invitation', recipient: member.email }
  if (links.mails) await queueMail(db, { ...mail, data: { orgId, id: created.id } }, now)
  return { ...created, link: invitationLink(links.publicUrl(), token) }
}

/** The page of an invitation. The token stands behind #, so that no server, log or Referer gets it. */
export const invitationLink = (publicUrl: string, token: string) => `${publicUrl}/console/#invitation=${token}`

async function refuseIfJoined(db: Db, orgId: string, memberId: string): Promise<void> {
  const joined = await db.row<{ personId: string }>(sql`
    select person_id as "personId" from members where org_id = ${orgId} and id = ${memberId} and person_id is not null`)
  if (joined && (await hasWayIn(db, joined.personId))) throw refused('The member has joined already', 'already_joined')
}
