import { z } from 'zod'
import { admins, type Caller, everyone, outranks, type Role } from '../../access/caller.ts'
import { leadsAll, memberships } from '../../access/visibility.ts'
import { forbidden } from '../../contract/errors.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { type Asking, includable } from '../../lists/include.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { firstOf } from '../../lists/parts.ts'
import { route } from '../../operations/route.ts'
import { hasWordsOf, wordStarts } from '../../search/by-name.ts'
import { revokeKeysKnownBelow, revokeKeysKnownTo } from '../api-keys/lineage.ts'
import { refuseIfDetaching } from '../detaching/detaching.ts'
import { Member, member, storedMembers } from '../member.ts'
import { BriefProject } from '../project.ts'
import { canonicalTimezone } from '../time/timezone.ts'
import { restoreRoute } from '../trash.ts'
import { eraseMember, memberToErase, refuseIfErased } from './erasing.ts'
import { keepAnOwner, memberToRemove, removalEvents, removeMember, stopTimerOf } from './removing.ts'

/** What may be included beside a member. */
const besideMember = includable<Member>(Member, 'A member', {
  projects: firstOf({
    schema: BriefProject,
    onPage: 1_000,
    order: 'Those of your projects that it was added to, the newest first',
    rest: 'Where not all of them are here: GET /projects?memberId= has them.',
    find: projectsOf,
  }),
})

const columns = columnsOf('projects', BriefProject)

/**
 * For owners and admins by way of the members. For others by way of the projects that they see: no membership in any other
 * is looked at.
 */
async function projectsOf({ db, caller }: Asking, memberIds: string[], ofEach: number) {
  const { orgId } = caller
  const rows = await db.rows<BriefProject & { of: string }>(
    leadsAll(caller)
      ? sql`
        select asked.id as of, listed.* from unnest(${memberIds}::uuid[]) asked (id)
        cross join lateral (
          select ${columns} from project_members
          cross join lateral (
            select * from projects where projects.org_id = ${orgId} and projects.id = project_members.project_id offset 0) projects
          where project_members.org_id = ${orgId} and project_members.member_id = asked.id and projects.deleted_at is null
          order by project_members.project_id desc limit ${ofEach}) listed
        order by listed.id desc`
      : sql`
        with mine as materialized (${memberships(caller)}),
        shared as (
          select added.of, mine.project_id as id, row_number() over (partition by added.of order by mine.project_id desc) as ordinal
          from mine
          cross join lateral (
            select project_members.member_id as of from project_members
            where project_members.org_id = ${orgId} and project_members.project_id = mine.project_id
              and project_members.member_id = any(${memberIds}) offset 0) added)
        select shared.of, ${columns} from shared
        cross join lateral (select * from projects where projects.org_id = ${orgId} and projects.id = shared.id offset 0) projects
        where shared.ordinal <= ${ofEach} order by projects.id desc`,
  )
  return rows.map(({ of, ...one }) => ({ of, one }))
}

const { name, email, role, timezone, status } = Member.shape
const NewMember = z.strictObject({ name, email, role: role.optional(), timezone: timezone.optional() })
const MemberChanges = z.strictObject({ name, email, role, timezone, status }).partial()

const q = wordStarts.meta({
  description:
    'Starts of words of the name, in any case, accents and order: `an ex` finds Ann Example. Or the start of the e-mail address.',
})

const constraints = { members_email: 'email' }

export const members = [
  route('GET /members', {
    name: 'members.list',
    summary: 'List members, by name',
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
    summary: 'Add a member to the organization',
    description: 'The member has no API key yet; see POST /api-keys.',
    roles: admins,
    body: NewMember,
    returns: Member,
    created: ({ id }) => `/members/${id}`,
    constraints,
    emits: ['member.created'],
    async handle({ db, caller, body, emit, now }) {
      const granted = body.role ?? 'member'
      refuseAbove(caller, granted)
      const timezone = await canonicalTimezone(db, body.timezone)
      const fields = { ...body, timezone, role: granted }
      const created = await storedMembers.insert(db, caller.orgId, fields, now)
      emit('member.created', created)
      return created
    },
  }),

  route('GET /members/{id}', {
    name: 'members.get',
    summary: 'Read a member',
    roles: everyone,
    target: member,
    query: z.strictObject({ include: besideMember.include }),
    returns: besideMember.Full,
    handle: (asked) => besideMember.inItem(asked, asked.target),
  }),

  route('PATCH /members/{id}', {
    name: 'members.update',
    summary: 'Edit a member, change its role, deactivate it',
    description:
      'The keys of a member who is deactivated die at once, and its timer ends. Of a member who is promoted those die that ' +
      'were made by somebody who does not stand as high, and what was made with them. Keys that it made for others die with its ' +
      'deactivation, and those for who stands above it now with its demotion: see API keys.',
    roles: admins,
    target: member,
    needs: 'lead',
    body: MemberChanges,
    returns: Member,
    constraints,
    emits: ['time_entry.updated', 'member.updated', 'api_key.revoked'],
    async handle({ db, caller, target, body, emit, now }) {
      if (body.role) refuseAbove(caller, body.role)
      await keepAnOwner(db, caller.orgId, target, {
        role: body.role ?? target.role,
        status: body.status ?? target.status,
      })
      const timezone = await canonicalTimezone(db, body.timezone)
      const changes = { ...body, timezone }
      const changed = await storedMembers.update(db, caller.orgId, target.id, changes, now)
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
    summary: 'Remove a member; its keys die at once, its assignments and its timer end, its time stays',
    description:
      'From now on nothing is shown as assigned to it. Where it was assigned to many tasks, their events follow within minutes. ' +
      'Keys that it made for others are revoked: see API keys.',
    roles: admins,
    target: memberToRemove,
    needs: 'lead',
    emits: removalEvents,
    handle: ({ db, caller, target, emit, now }) => removeMember({ db, orgId: caller.orgId, caller, emit, now }, target),
  }),

  restoreRoute(storedMembers, {
    name: 'members.restore',
    description:
      'Within 30 days, unless it was erased. Its keys work again; projects and assignments are given to it anew.',
    async before({ db, caller: { orgId }, target }) {
      await refuseIfErased(db, orgId, target.id)
      await refuseIfDetaching(db, orgId, target.id)
    },
    target: member,
    needs: 'lead',
    constraints,
  }),

  route('POST /members/{id}/erase', {
    name: 'members.erase',
    summary: 'Erase a member: it is removed, and has no name and no e-mail address any more. Nothing brings them back',
    description:
      'For a member, and for one that was removed already, whenever that was. It is called Former member wherever it did something; ' +
      'its time and the sums of reports stay. Its keys are revoked. Within minutes its name and address are gone from events, stored ' +
      'answers, and the log of deliveries as well. What it wrote stays, and so does what others wrote about it.',
    roles: ['owner'],
    target: memberToErase,
    needs: 'lead',
    lock: 'update',
    returns: Member,
    emits: [...removalEvents, 'member.erased'],
    handle: ({ db, caller, target, emit, now }) => eraseMember({ db, orgId: caller.orgId, caller, emit, now }, target),
  }),
]

const isFoundBy = (orgId: string, q: string) =>
  sql`(${hasWordsOf(sql`members`, orgId, q)} or starts_with(email, ${q.toLowerCase()}))`

function refuseAbove(caller: Caller, granted: Role): void {
  if (caller.role === 'operator' || outranks(granted, caller.role)) {
    throw forbidden('Nobody grants a role above their own', 'role_above_own')
  }
}
