import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { refuseUnlessRecent } from '../../access/sessions.ts'
import { refused } from '../../contract/errors.ts'
import { severalIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { sql } from '../../db/sql.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { member } from '../member.ts'
import { Invitation, invitation, isOpen, NewInvitation, storedInvitations } from './invitation.ts'
import { invite } from './inviting.ts'

const state = z.enum(['open', 'accepted', 'expired']).meta({
  description: 'open: somebody can still accept it. accepted: the member joined. expired: nobody accepted it in time.',
})

export const invitations = [
  route('GET /invitations', {
    name: 'invitations.list',
    summary: 'List invitations',
    description: 'Newest first. An invitation stays in the list for 30 days after it was accepted or has expired.',
    roles: admins,
    query: z.strictObject({
      ...offsetQuery,
      memberId: severalIds([], { description: 'Only invitations for these members.', means: '' }).optional(),
      state: state.optional(),
    }),
    returns: offsetPageOf(Invitation),
    handle({ db, caller, query, now }) {
      const ofMember = query.memberId && isAnyOf(sql`invitations.member_id`, query.memberId)
      const there = sql`invitations.org_id = ${caller.orgId} and invitations.deleted_at is null`
      const from = sql`invitations where ${sql.all(there, ofMember, query.state && inState(query.state, now))}`
      const order = sql`invitations.created_at desc, invitations.id desc`
      return offsetPage<Invitation>(db, { columns: storedInvitations.columns, from, order }, query)
    },
  }),

  route('GET /invitations/{id}', {
    name: 'invitations.get',
    summary: 'Get an invitation',
    description: 'The response does not show the link.',
    roles: admins,
    target: invitation,
    returns: Invitation,
    handle: ({ target }) => target,
  }),

  route('POST /members/{id}/invite', {
    name: 'members.invite',
    summary: 'Invite a member',
    description:
      'Creates a link with which somebody signs in as this member for the first time. Only this response shows the link. It ' +
      'works once, for 7 days. If this server sends mail, it also mails a link to the member. A new invitation ends the former ' +
      'one. If the member has joined and can still sign in, the response is 412 (`already_joined`).',
    roles: admins,
    target: member,
    needs: 'lead',
    returns: NewInvitation,
    created: ({ id }) => `/invitations/${id}`,
    secret: true,
    emits: ['invitation.deleted', 'invitation.created'],
    handle({ db, caller, target, emit, now, links }) {
      if (target.role === 'owner') refuseUnlessRecent(caller)
      return invite({ db, orgId: caller.orgId, caller, emit, now, links }, target)
    },
  }),

  route('DELETE /invitations/{id}', {
    name: 'invitations.delete',
    summary: 'Delete an invitation',
    description: 'The link stops working at once.',
    roles: admins,
    target: invitation,
    emits: ['invitation.deleted'],
    async handle({ db, caller, target, emit, now }) {
      if (target.acceptedAt !== null)
        throw refused('The invitation was accepted; remove the member instead', 'already_joined')
      await storedInvitations.remove(db, caller.orgId, target.id, now)
      emit('invitation.deleted', target)
    },
  }),
]

const inState = (state: 'open' | 'accepted' | 'expired', now: string) => {
  if (state === 'open') return isOpen(now)
  return state === 'accepted'
    ? sql`invitations.accepted_at is not null`
    : sql`invitations.accepted_at is null and invitations.expires_at <= ${now}`
}
