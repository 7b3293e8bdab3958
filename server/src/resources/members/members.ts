import { z } from 'zod'
import { admins, type Caller, everyone, outranks, type Role } from '../../access/caller.ts'
import { refuseUnlessRecent } from '../../access/sessions.ts'
import { forbidden } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { editPerson } from '../../persons/persons.ts'
import { hasWordsOf, wordStarts } from '../../search/by-name.ts'
import { revokeKeysKnownBelow, revokeKeysKnownTo } from '../api-keys/lineage.ts'
import { refuseIfDetaching } from '../detaching/detaching.ts'
import { NewInvitation, voidMailedToken } from '../invitations/invitation.ts'
import { createInvitation } from '../invitations/inviting.ts'
import { Member, member, storedMembers } from '../member.ts'
import { canonicalTimezone } from '../time/timezone.ts'
import { restoreRoute } from '../trash.ts'
import { erasableMember, eraseMember, refuseIfErased } from './erasing.ts'
import { besideMember } from './included-projects.ts'
import { keepAnOwner, memberToRemove, removalEvents, removeMember, stopTimerOf } from './removing.ts'

const { name, email, role, timezone, status } = Member.shape
const NewMember = z.strictObject({
  ...{ name, email, role: role.optional(), timezone: timezone.optional() },
  invite: z.boolean().optional().meta({
    description: 'Whether to invite the member as well, as `POST /members/{id}/invite` does. Default: false.',
  }),
})
const CreatedMember = Member.extend({ invitation: NewInvitation.optional() }).meta({
  id: 'CreatedMember',
  description: 'A new member, with the invitation if you asked for one.',
})
const MemberChanges = z.strictObject({ name, email, role, timezone, status }).partial()

const q = wordStarts.meta({
  description:
    'Finds names by the beginnings of their words: `an ex` finds Ann Example. Case, accents and order do not ' +
    'matter. Also finds e-mail addresses by their beginnings.',
})

const constraints = { members_email: 'email' }

export const members = [
  route('GET /members', {
    name: 'members.list',
    summary: 'List members',
    description: 'Sorted by name.',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery, q, include: besideMember.include }),
    returns: offsetPageOf(besideMember.Full),
    async handle(asked) {
      const { db, caller, query } = asked
      const there = sql`org_id = ${caller.orgId} and deleted_at is null`
      const from = sql`members where ${sql.all(there, query.q && isFoundBy(caller.orgId, query.q))}`
      const page = await offsetPage<Member>(
        db,
        { columns: storedMembers.columns, from, order: sql`name_key, id` },
        query,
      )
      return besideMember.inPage(asked, page)
    },
  }),

  route('POST /members', {
    name: 'members.create',
    summary: 'Create a member',
    description:
      'With `invite: true`, the response contains a link with which the member can sign in. Only this response shows it. For a ' +
      'program, create an API key with `POST /api-keys` instead.',
    roles: admins,
    body: NewMember,
    returns: CreatedMember,
    created: ({ id }) => `/members/${id}`,
    secret: ({ invite }) => invite === true,
    constraints,
    emits: ['member.created', 'invitation.created'],
    async handle({ db, caller, body: { invite: isInvited = false, ...body }, emit, now, links }) {
      const granted = body.role ?? 'member'
      refuseAbove(caller, granted)
      if (granted === 'owner') refuseUnlessRecent(caller)
      const timezone = await canonicalTimezone(db, body.timezone)
      const fields = { ...body, timezone, role: granted }
      const created = await storedMembers.insert(db, caller.orgId, fields, now)
      emit('member.created', created)
      if (!isInvited) return created
      const invitation = await createInvitation({ db, orgId: caller.orgId, caller, emit, now, links }, created)
      return { ...created, invitation }
    },
  }),

  route('GET /members/{id}', {
    name: 'members.get',
    summary: 'Get a member',
    roles: everyone,
    target: member,
    query: z.strictObject({ include: besideMember.includeInItem }),
    returns: besideMember.Full,
    handle: (asked) => besideMember.inItem(asked, asked.target),
  }),

  route('PATCH /members/{id}', {
    name: 'members.update',
    summary: 'Update a member',
    description:
      'If you deactivate a member, their keys stop working at once, their timer stops, and keys that they created for others ' +
      'are revoked. If you give a member a lower role, keys that they created for members with a higher role are revoked. If ' +
      'you give a member a higher role, their keys that a member with a lower role created are revoked. Keys that were created ' +
      'with such a key can be revoked, too: see the guide on API keys. If you edit yourself with a session, ' +
      'your account gets the new name. It gets the new address unless the old one is verified or another person has the new one.',
    roles: admins,
    target: member,
    needs: 'lead',
    body: MemberChanges,
    returns: Member,
    constraints,
    emits: ['time_entry.updated', 'member.updated', 'api_key.revoked'],
    async handle({ db, caller, target, body, emit, now }) {
      if (body.role) refuseAbove(caller, body.role)
      if ([target.role, body.role].includes('owner')) refuseUnlessRecent(caller)
      await keepAnOwner(db, caller.orgId, target, {
        role: body.role ?? target.role,
        status: body.status ?? target.status,
      })
      const timezone = await canonicalTimezone(db, body.timezone)
      const isOtherAddress = body.email !== undefined && body.email !== target.email
      const isOwn = target.id === caller.memberId
      if (isOwn && isOtherAddress) refuseUnlessRecent(caller)
      const changes = { ...body, timezone, ...(isOtherAddress && { emailVerified: false }) }
      const changed = await storedMembers.update(db, caller.orgId, target.id, changes, now)
      if (isOtherAddress) await voidMailedToken(db, caller.orgId, target.id)
      if (caller.session && isOwn) await editPerson(db, caller.session.personId, body, now)
      if (changed.status === 'deactivated') await stopTimerOf({ db, orgId: caller.orgId, emit, now }, target.id)
      emit('member.updated', changed, { before: target })
      const context = { db, orgId: caller.orgId, caller, emit, now }
      if (outranks(changed.role, target.role)) await revokeKeysKnownBelow(context, target.id, changed.role)
      if (changed.status === 'deactivated') await revokeKeysKnownTo(context, target.id, undefined)
      else if (outranks(target.role, changed.role)) await revokeKeysKnownTo(context, target.id, changed.role)
      return changed
    },
  }),

  route('DELETE /members/{id}', {
    name: 'members.delete',
    summary: 'Remove a member',
    description:
      "Ends the membership of the organization. The member's keys stop working at once, their timer stops and " +
      'their assignments end. Their open invitation is deleted. Their time entries stay. No response shows the member as assigned from now on. If ' +
      'the member had many tasks, the events of these tasks follow within minutes. Keys that the member created ' +
      'for others are revoked: see the guide on API keys.',
    roles: admins,
    target: memberToRemove,
    needs: 'lead',
    emits: removalEvents,
    handle({ db, caller, target, emit, now }) {
      if (target.role === 'owner') refuseUnlessRecent(caller)
      return removeMember({ db, orgId: caller.orgId, caller, emit, now }, target)
    },
  }),

  restoreRoute(storedMembers, {
    name: 'members.restore',
    description:
      'You can restore a member for 30 days, unless the member was erased. Their keys work again. You must add ' +
      'them to projects and assign them to tasks again.',
    async before({ db, caller, target }) {
      const { orgId } = caller
      if (target.role === 'owner') refuseUnlessRecent(caller)
      await refuseIfErased(db, orgId, target.id)
      await leaveToOtherMember(db, orgId, target.id)
      await refuseIfDetaching(db, orgId, target.id)
    },
    target: member,
    needs: 'lead',
    constraints,
  }),

  route('POST /members/{id}/erase', {
    name: 'members.erase',
    summary: 'Erase a member',
    description:
      'Removes the member and erases their name and e-mail address. Nothing can restore them. You can also erase a ' +
      'member who was removed before, no matter when. The API shows "Former member" instead of the name. Time ' +
      "entries and the sums of reports stay. The member's keys are revoked. If the person who signs in as this member is a member of no " +
      'other organization, their account is erased, too. Within minutes the name and address ' +
      'are also gone from events, stored responses and the log of deliveries. Texts that the member wrote stay, ' +
      'and so do texts of others about the member.',
    roles: ['owner'],
    target: erasableMember,
    needs: 'lead',
    lock: 'update',
    returns: Member,
    emits: [...removalEvents, 'member.erased'],
    handle({ db, caller, target, emit, now }) {
      refuseUnlessRecent(caller)
      return eraseMember({ db, orgId: caller.orgId, caller, emit, now }, target)
    },
  }),
]

/** A person who joined as another member meanwhile stays that one. This member can be invited again. */
const leaveToOtherMember = (db: Db, orgId: string, id: string) =>
  db.rows(sql`
    update members set person_id = null, email_verified = false
    where org_id = ${orgId} and id = ${id} and exists (
      select from members other where other.org_id = ${orgId} and other.person_id = members.person_id
        and other.deleted_at is null)`)

const isFoundBy = (orgId: string, q: string) =>
  sql`(${hasWordsOf(sql`members`, orgId, q)} or starts_with(email, ${q.toLowerCase()}))`

function refuseAbove(caller: Caller, granted: Role): void {
  if (caller.role === 'operator' || outranks(granted, caller.role)) {
    throw forbidden('You cannot give a role above your own', 'role_above_own')
  }
}
