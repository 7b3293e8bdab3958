import { z } from 'zod'
import { inOrganization } from '../../access/visibility.ts'
import { Id, resource, Timestamp } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { WriteContext } from '../../operations/context.ts'

const fields = {
  memberId: Id.meta({ description: 'The member that somebody joins as.' }),
  createdBy: Id.nullable().meta({ description: 'The member who sent the invitation.' }),
  expiresAt: Timestamp.meta({ description: 'The link works until then: for 7 days.' }),
  mailedAt: Timestamp.nullable().meta({
    description: 'When the server mailed a link to the member. Null: this server sends no mail, so pass the link on.',
    examples: [null],
  }),
  acceptedAt: Timestamp.nullable().meta({ examples: [null] }),
}

/** An invitation, without its link. */
export const Invitation = resource('Invitation', 'An invitation to sign in as a member. It works once.', fields)
export type Invitation = z.output<typeof Invitation>

/** A new invitation: the only response that contains its link. */
export const NewInvitation = resource('NewInvitation', 'A new invitation. Its link is never shown again.', {
  ...fields,
  link: z.url().meta({
    maxLength: 2_048,
    description: 'The page on which the member accepts. Everybody who has the link can accept.',
    examples: ['https://tasks.example.com/console/#invitation=MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo'],
  }),
})
export type NewInvitation = z.output<typeof NewInvitation>

/** The table of invitations. */
export const storedInvitations = table('invitations', Invitation, {
  noun: 'invitation',
  tells: {
    created: 'An owner or admin invited somebody to sign in as a member.',
    accepted: 'Somebody accepted the invitation. A `member.joined` follows.',
    deleted: 'The link no longer works. A new invitation for the member, or their removal, also ends the former one.',
  },
  refersTo: { memberId: 'members', createdBy: 'members' },
  goneSince: (row) => sql`least(${row}.deleted_at, ${row}.accepted_at, ${row}.expires_at)`,
})

/** An invitation of the caller's organization. */
export const invitation = inOrganization(storedInvitations)

/** Condition: somebody can still accept the invitation. */
export const isOpen = (now: string): Sql => sql`invitations.accepted_at is null and invitations.expires_at > ${now}`

/** Ends the invitation of a member that nobody accepted yet. The caller has locked the member. */
export async function endInvitation(
  { db, orgId, emit, now }: WriteContext<'invitation.deleted'>,
  memberId: string,
): Promise<void> {
  const former = await db.row<Invitation>(sql`
    select ${storedInvitations.columns} from invitations
    where org_id = ${orgId} and member_id = ${memberId} and deleted_at is null and accepted_at is null for update`)
  if (former === undefined) return
  await storedInvitations.remove(db, orgId, former.id, now)
  emit('invitation.deleted', former, { orgId })
}

/** Ends the link that was mailed to a former address of a member: it would prove the new one. The link to copy still works. */
export const voidMailedToken = (db: Db, orgId: string, memberId: string): Promise<unknown> =>
  db.rows(sql`
    update invitations set mail_token_hash = null
    where org_id = ${orgId} and member_id = ${memberId} and deleted_at is null and accepted_at is null`)
