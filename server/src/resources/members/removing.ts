import type { Loader } from '../../access/loader.ts'
import { lockProjects } from '../../access/locks.ts'
import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { WriteContext } from '../../operations/context.ts'
import { revokeKeysKnownTo } from '../api-keys/lineage.ts'
import { detach, mostAtOnce } from '../detaching/detaching.ts'
import { endInvitation } from '../invitations/invitation.ts'
import { type Member, member, storedMembers } from '../member.ts'
import { stopRunning } from '../time/time-writes.ts'
import { removeFromProjects } from './remove-from-projects.ts'

/** The types of events that a removal emits. */
export const removalEvents = [
  'time_entry.updated',
  'invitation.deleted',
  'member.deleted',
  'task.updated',
  'subtask.updated',
  'api_key.revoked',
] as const
export type RemovalEvent = (typeof removalEvents)[number]

/**
 * Removes a member. The caller has locked the projects of the member: see `afterWritersOf`.
 * @param told the member as the event shows it
 */
export async function removeMember(context: WriteContext<RemovalEvent>, target: Member, told = target): Promise<void> {
  const { db, orgId, emit, now } = context
  await keepAnOwner(db, orgId, target, undefined)
  const left = await removeFromProjects(db, orgId, target.id)
  await stopTimerOf({ db, orgId, emit, now }, target.id)
  await endInvitation(context, target.id)
  await storedMembers.remove(db, orgId, target.id, now)
  emit('member.deleted', told, { orgId })
  await revokeKeysKnownTo(context, target.id, undefined)
  const many = left !== undefined && left.count > mostLeft
  await detach({ db, emit, now }, { orgId, kind: 'member', id: target.id }, many ? 0 : mostAtOnce)
}

/** A loader of members that first waits for writers in their projects, if it locks for an update. */
export const afterWritersOf = (loader: Loader<Member>): Loader<Member> => ({
  ...loader,
  async load(db, caller, wanted) {
    if (wanted.lock === 'update') await lockProjectsOf(db, caller.orgId, wanted.ids)
    return loader.load(db, caller, wanted)
  },
})

/** Loads a member to remove. */
export const memberToRemove = afterWritersOf(member)

/**
 * Locks every project that members belong to or are assigned in, in one order, after the writers there have finished.
 * If there are too many projects, it locks none. Each lock takes one of the few places in PostgreSQL's lock table, and
 * stops writes in the project.
 * @throws 412 when one transaction removes several members, and locks too many projects
 */
async function lockProjectsOf(db: Db, orgId: string, memberIds: readonly string[]): Promise<void> {
  const areFew = sql`(select count(*) from memberships) <= ${mostLeft} and (select count(*) from assigned) <= ${mostAtOnce}`
  const entered = await db.rows<{ id: string }>(sql`
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
    select id from (select project_id as id from memberships union select project_id from assigned) entered
    where ${areFew}`)
  const ids = entered.map(({ id }) => id)
  if (ids.length > 0) await lockProjects(db, orgId, ids)
}

/**
 * The maximum number of projects of a member who is detached from tasks during the removal; above it, a job detaches.
 */
const mostLeft = 250

/**
 * Stops the timer of a member. A request that starts a timer waits for the row of the member, and then finds the member
 * removed or deactivated.
 */
export const stopTimerOf = ({ db, orgId, emit, now }: WriteContext<'time_entry.updated'>, memberId: string) =>
  stopRunning({ db, caller: { orgId }, emit, now }, sql`time_entries.member_id = ${memberId}`)

/**
 * Refuses a change that leaves no active owner. It locks the row of the organization first: if two owners remove each
 * other at the same time, one is refused.
 * @param after the member after the change; undefined when the member is removed
 * @throws 412
 */
export async function keepAnOwner(
  db: Db,
  orgId: string,
  before: Member,
  after: OwnerStatus | undefined,
): Promise<void> {
  if (!isActiveOwner(before) || (after && isActiveOwner(after))) return
  await db.rows(sql`select org_id from organizations where org_id = ${orgId} for no key update`)
  const other = await db.row(sql`
    select id from members where org_id = ${orgId} and role = 'owner' and status = 'active' and deleted_at is null
      and id <> ${before.id} limit 1`)
  if (other === undefined) throw refused('An organization must keep at least one active owner', 'last_owner')
}

type OwnerStatus = Pick<Member, 'role' | 'status'>

const isActiveOwner = ({ role, status }: OwnerStatus) => role === 'owner' && status === 'active'
