import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { tokenHash } from '../access/sessions.ts'
import { sql } from '../db/sql.ts'
import { type MailKind, nameForMail } from '../mail/kinds.ts'
import { invitationLink } from '../resources/invitations/inviting.ts'

const Data = z.object({ orgId: z.uuid(), id: z.uuid() })

interface MailedInvitation {
  organization: string
  name: string
  invitedBy: string | null
  expiresAt: string
}

/**
 * The mail that invites a member. Its token was shown to nobody, so it also proves the address. There is nothing to send if the
 * invitation ended, or if the member has another address by now.
 */
export const invitationMail: MailKind = async (tx, { data, recipient }, publicUrl, now) => {
  const { orgId, id } = Data.parse(data)
  const token = randomBytes(32).toString('base64url')
  const invitation = await tx.row<MailedInvitation>(sql`
    update invitations set mail_token_hash = ${tokenHash(token)}
    from members join organizations on organizations.org_id = members.org_id
    where invitations.org_id = ${orgId} and invitations.id = ${id} and invitations.deleted_at is null
      and invitations.accepted_at is null and invitations.expires_at > ${now}
      and members.org_id = ${orgId} and members.id = invitations.member_id and members.email = ${recipient}
      and members.status = 'active' and members.deleted_at is null and organizations.deleted_since is null
    returning organizations.name as organization, members.name, invitations.expires_at as "expiresAt", (
      select inviting.name from members inviting
      where inviting.org_id = ${orgId} and inviting.id = invitations.created_by) as "invitedBy"`)
  if (invitation === undefined) return undefined
  const organization = nameForMail(invitation.organization)
  const inviting = invitation.invitedBy === null ? 'An owner or admin' : nameForMail(invitation.invitedBy)
  return {
    subject: `Join ${organization} in Taskwright`,
    paragraphs: [
      `Hello ${nameForMail(invitation.name)},`,
      `${inviting} invites you to ${organization}. Open the link to choose how you sign in.`,
      `The link works once, until ${dateOf(invitation.expiresAt)}. If you do not know ${organization}, ignore this mail.`,
    ],
    link: { text: 'Accept the invitation', url: invitationLink(publicUrl, token) },
  }
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const dateOf = (at: string) => format.format(new Date(at))
