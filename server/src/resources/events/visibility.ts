import type { Caller } from '../../access/caller.ts'
import { leadsAll } from '../../access/visibility.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { noun, type ShownEvent } from '../../events/log.ts'

/** A reader of events. */
export type EventReader = Pick<Caller, 'orgId' | 'memberId' | 'role'>

/** The rights that decide which events a member sees. Streams read them again when they may have changed. */
export interface EventRights {
  /** whether the member is an owner or admin */
  leads: boolean
  memberId: string
  /** the projects of the member, deleted ones included; not used for owners and admins */
  projects: ReadonlySet<string>
}

/**
 * Nouns that every member sees if the event is in no project. Only owners and admins see other nouns, but members see
 * their own keys.
 */
const shared: readonly string[] = ['organization', 'member', 'task_type', 'tag', 'workspace', 'stage', 'order']

/** Only owners and admins see these, in a project or not. */
const leadersOnly: readonly string[] = ['webhook']

/** Query of `project_id`: the projects of a member who is not an owner or admin. */
const memberships = (orgId: string, memberId: string): Sql => sql`select project_members.project_id from project_members
  where project_members.org_id = ${orgId} and project_members.member_id = ${memberId}`

/** The current rights of several callers of one organization. */
export async function eventRightsOfMembers(db: Db, callers: readonly EventReader[]): Promise<EventRights[]> {
  const leading = new Map(callers.map((caller) => [caller.memberId, leadsAll(caller)]))
  const others = [...leading].filter(([, leads]) => !leads).map(([memberId]) => memberId)
  const rows =
    others.length === 0
      ? []
      : await db.rows<{ memberId: string; projectIds: string[] }>(sql`
          select project_members.member_id as "memberId", array_agg(project_members.project_id) as "projectIds"
          from project_members
          where project_members.org_id = ${callers[0]?.orgId} and project_members.member_id = any(${others}::uuid[])
          group by project_members.member_id`)
  const projects = new Map(rows.map(({ memberId, projectIds }) => [memberId, new Set(projectIds)]))
  return [...leading].map(([memberId, leads]) => ({ leads, memberId, projects: projects.get(memberId) ?? new Set() }))
}

/**
 * Condition for lists: the caller sees the event. Members of a deleted project still see its events, including its
 * deletion.
 */
export function eventVisible(caller: EventReader): Sql {
  if (leadsAll(caller)) return sql`true`
  const { orgId, memberId } = caller
  return sql`case
    when ${noun} = any(${leadersOnly}::text[]) then false
    when ${noun} = 'api_key' then events.snapshot ->> 'memberId' = ${memberId}
    when events.project_id is not null then (events.project_id in (${memberships(orgId, memberId)})) is true
    else ${noun} = any(${shared}::text[]) end`
}

/** `eventVisible` as a function. */
export function seesEvent({ leads, memberId, projects }: EventRights, event: ShownEvent): boolean {
  if (leads) return true
  const [about = ''] = event.type.split('.')
  if (leadersOnly.includes(about)) return false
  if (about === 'api_key') return event.snapshot.memberId === memberId
  return event.projectId === null ? shared.includes(about) : projects.has(event.projectId)
}

/**
 * Condition: the caller sees the API keys in the event. Owners and admins do, and so does the member who acted. That
 * member does not see `createdWith` of a key that another member created.
 */
export const withKeys = (caller: EventReader): Sql =>
  leadsAll(caller)
    ? sql`true`
    : sql`(events.actor_id = ${caller.memberId}
        and (${noun} <> 'api_key' or events.snapshot ->> 'createdBy' = ${caller.memberId}))`

/** `withKeys` as a function. */
export const seesKeys = ({ leads, memberId }: EventRights, { type, actor, snapshot }: ShownEvent): boolean =>
  leads || (actor.memberId === memberId && (!type.startsWith('api_key.') || snapshot.createdBy === memberId))
