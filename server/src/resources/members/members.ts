import { z } from 'zod'
import { admins, type Caller, everyone, outranks, type Role } from '../../access/caller.ts'
import type { Loader } from '../../access/loader.ts'
import { advisoryLock } from '../../access/locks.ts'
import { forbidden, refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { hasWordsOf, wordStarts } from '../../lists/by-name.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { revokeKeysKnownBelow } from '../api-keys/lineage.ts'
import { detach, mostAtOnce, refuseIfDetaching } from '../detaching/detaching.ts'
import { Member, member, storedMembers } from '../member.ts'
import { stopRunning, type WriteContext } from '../time/time-writes.ts'
import { canonicalTimezone } from '../time/timezone.ts'
import { restoreRoute } from '../trash.ts'
import { besideMember } from './include.ts'
import { removeFromProjects } from './remove-from-projects.ts'

const { name, email, role, timezone, status } = Member.shape
const NewMember = z.strictObject({ name, email, role: role.optional(), timezone: timezone.optional() })
const MemberChanges = z.strictObject({ name, email, role, timezone, status }).partial()

const q = wordStarts.meta({
  description:
    'Starts of words of the name, in any case, accents and order: `an ex` finds Ann Example. Or the start of the e-mail address.',
})

const constraints = { members_email: 'email' }

/** A member, who is removed once those who write in its projects are done. */
const memberToRemove: Loader<Member> = {
  ...member,
  async load(db, caller, wanted) {
    if (wanted.lock === 'update') await lockProjectsOf(db, caller.orgId, wanted.ids)
    return member.load(db, caller, wanted)
  },
}

/**
 * Enters every project that members are in or assigned in, in one order: whoever writes there finishes first. Where they
 * are many it enters none: each takes a place of PostgreSQL's few, and then nothing of these projects is written to.
 */
async function lockProjectsOf(db: Db, orgId: string, memberIds: readonly string[]): Promise<void> {
  const few = sql`(select count(*) from memberships) <= ${mostLeft} and (select count(*) from assigned) <= ${mostAtOnce}`
  await db.rows(sql`
    with memberships as materialized (
      select project_id from project_members where org_id = ${orgId} and member_id = any(${memberIds})
      limit ${mostLeft + 1}),
    assigned as materialized (
      (select tasks.project_id from task_assignees
        join tasks on tasks.org_id = ${orgId} and tasks.id = task_assignees.task_id
        where task_assignees.org_id = ${orgId} and task_assignees.member_id = any(${memberIds}) limit ${mostAtOnce + 1})
      union all
      (select project_id from subtasks where org_id = ${orgId} and assignee_id = any(${memberIds})
        limit ${mostAtOnce + 1}))
    select ${advisoryLock(sql`entered.id`, 'update', few)} from (
      select project_id as id from memberships union select project_id from assigned order by id) entered`)
}

/** How many projects somebody may be in who is taken off tasks in the moment of its removal. */
const mostLeft = 250

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
      const from = sql`members where ${sql.all(there, query.q && isFoundBy(query.q))}`
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
    name: 'members.read',
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
      'were made by somebody who does not stand as high, and what was made with them.',
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
      if (changed.status === 'deactivated') await stopTimerOf({ db, caller, emit, now }, target.id)
      emit('member.updated', changed, { before: target })
      if (outranks(changed.role, target.role))
        await revokeKeysKnownBelow({ db, orgId: caller.orgId, caller, emit, now }, target.id, changed.role)
      return changed
    },
  }),

  route('DELETE /members/{id}', {
    name: 'members.delete',
    summary: 'Remove a member; its keys die at once, its assignments and its timer end, its time stays',
    description:
      'From now on nothing is shown as assigned to it. Where it was assigned to many tasks, their events follow within minutes.',
    roles: admins,
    target: memberToRemove,
    needs: 'lead',
    emits: ['time_entry.updated', 'member.deleted', 'task.updated', 'subtask.updated'],
    async handle({ db, caller, target, emit, now }) {
      await keepAnOwner(db, caller.orgId, target, undefined)
      const { orgId } = caller
      const left = await removeFromProjects(db, orgId, target.id)
      await stopTimerOf({ db, caller, emit, now }, target.id)
      await storedMembers.remove(db, orgId, target.id, now)
      emit('member.deleted', target)
      const many = left !== undefined && left.count > mostLeft
      await detach({ db, emit, now }, { orgId, kind: 'member', id: target.id }, many ? 0 : mostAtOnce)
    },
  }),

  restoreRoute(storedMembers, {
    name: 'members.restore',
    description: 'Within 30 days. Its keys work again; projects and assignments are given to it anew.',
    before: ({ db, caller, target }) => refuseIfDetaching(db, caller.orgId, target.id),
    target: member,
    needs: 'lead',
    constraints,
  }),
]

const isFoundBy = (q: string) => sql`(${hasWordsOf(sql`name_key`, q)} or starts_with(email, ${q.toLowerCase()}))`

// whoever starts one waits for the row of the member, and then finds it gone or deactivated
const stopTimerOf = (context: WriteContext, memberId: string) =>
  stopRunning(context, sql`time_entries.member_id = ${memberId}`)

/**
 * Every organization keeps an active owner. The organization's row is locked first, so that of two owners who remove
 * each other at the same time one is refused.
 * @param after the member after the change, undefined when it is removed
 * @throws 412
 */
async function keepAnOwner(db: Db, orgId: string, before: Member, after: OwnerStatus | undefined): Promise<void> {
  if (!isActiveOwner(before) || (after && isActiveOwner(after))) return
  await db.rows(sql`select org_id from organizations where org_id = ${orgId} for no key update`)
  const other = await db.row(sql`
    select id from members where org_id = ${orgId} and role = 'owner' and status = 'active' and deleted_at is null
      and id <> ${before.id} limit 1`)
  if (other === undefined) throw refused('An organization keeps at least one active owner', 'last_owner')
}

type OwnerStatus = Pick<Member, 'role' | 'status'>

const isActiveOwner = ({ role, status }: OwnerStatus) => role === 'owner' && status === 'active'

function refuseAbove(caller: Caller, granted: Role): void {
  if (caller.role === 'operator' || outranks(granted, caller.role)) {
    throw forbidden('Nobody grants a role above their own', 'role_above_own')
  }
}
