import { type Sql, sql } from '../db/sql.ts'
import type { Caller, Lock, ProjectRole, Scoped } from '../http/route.ts'

/** Owners and admins lead every project of their organization. */
export const leadsAll = ({ role }: Caller) => role === 'owner' || role === 'admin'

/**
 * Whether the caller sees the project with this id: for lists. The comparison with true keeps the planner from turning
 * the sub-select into a join, which would make it sort the organization.
 */
export const seesProject = (caller: Caller, projectId: Sql): Sql => sql`(${projectId} in (
  select projects.id from projects ${
    leadsAll(caller)
      ? sql.empty
      : sql`join project_members on project_members.org_id = projects.org_id
        and project_members.project_id = projects.id and project_members.member_id = ${caller.memberId}`
  }
  where projects.org_id = ${caller.orgId} and projects.deleted_at is null)) is true`

/**
 * One row with the caller's role in the project and whether it is archived, no row when the caller does not see it: for
 * look-ups by id. A write holds what it relied on: the project may not be deleted or archived, nor the membership
 * withdrawn, before it has committed.
 */
export function roleIn(caller: Caller, projectId: Sql, lock: Lock): Sql {
  const archived = sql`projects.status = 'archived' as archived`
  if (leadsAll(caller)) {
    return sql`select 'lead' as role, ${archived} from projects where projects.org_id = ${caller.orgId}
      and projects.id = ${projectId} and projects.deleted_at is null and ${entered(lock === 'none' ? 'none' : 'share')}
      ${held(lock, sql`for key share of projects`)}`
  }
  return sql`select project_members.role, ${archived} from project_members
    join projects on projects.org_id = project_members.org_id and projects.id = project_members.project_id
    where project_members.org_id = ${caller.orgId} and project_members.project_id = ${projectId}
      and project_members.member_id = ${caller.memberId} and projects.deleted_at is null
      and ${entered(lock === 'none' ? 'none' : 'share')}
    ${held(lock, sql`for share of project_members for key share of projects`)}`
}

/**
 * Condition: the project was entered, which a write does before it takes a row of it. Whoever decides who may write in it
 * (archives or deletes it, withdraws a membership) enters with 'update': alone, after those before it and before those
 * behind it. Locks of rows have no such queue: a stream of writers would keep it waiting for ever.
 */
export function entered(lock: Lock): Sql {
  if (lock === 'none') return sql`true`
  const enter = lock === 'update' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  return sql`${enter}(uuid_hash_extended(projects.id, 0)) is not null`
}

const held = (lock: Lock, clause: Sql) => (lock === 'none' ? sql.empty : clause)

/** How long what was deleted can be restored. */
export const restorableMs = 30 * 86_400_000

/** Condition: the row is there; or, for a restore, it was deleted no longer than 30 days ago. */
export const present = (table: Sql, deleted = false): Sql =>
  deleted
    ? sql`${table}.deleted_at > ${new Date(Date.now() - restorableMs).toISOString()}`
    : sql`${table}.deleted_at is null`

/** The rows of a table whose rows every member of the organization sees, found by id; nobody needs a role for them. */
export const inOrganization = <Item>(table: Sql, columns: Sql): Scoped<Item> => ({
  async find(db, { orgId }, { ids, lock, deleted }) {
    const items = await db.rows<Item>(sql`
      select ${columns} from ${table}
      where ${table}.org_id = ${orgId} and ${table}.id = any(${ids}) and ${present(table, deleted)}
      ${sql.lock(lock, table)}`)
    return items.map((item) => ({ item, role: 'lead' }))
  },
})

interface Access {
  projectRole: ProjectRole | null
  archived: boolean | null
}

/** The rows of a table whose rows belong to a project, found by id. */
export const inProject = <Item>(table: Sql, columns: Sql): Scoped<Item> =>
  behindProject(table, columns, sql`join`, sql.empty)

/** The rows of a table whose rows belong to a project or (project_id null) to the whole organization, found by id. */
export const sharedOrInProject = <Item>(table: Sql, columns: Sql): Scoped<Item> =>
  behindProject(table, columns, sql`left join`, sql`and (${table}.project_id is null or access.role is not null)`)

const behindProject = <Item>(table: Sql, columns: Sql, join: Sql, condition: Sql): Scoped<Item> => ({
  async find(db, caller, { ids, lock, deleted }) {
    const rows = await db.rows<Item & Access>(sql`
      select ${columns}, access.role as "projectRole", access.archived
      from ${table} ${join} lateral (${roleIn(caller, sql`${table}.project_id`, lock)}) access on true
      where ${table}.org_id = ${caller.orgId} and ${table}.id = any(${ids}) and ${present(table, deleted)} ${condition}
      ${sql.lock(lock, table)}`)
    return rows.map(({ projectRole, archived, ...item }) => ({
      item: item as Item,
      role: projectRole ?? roleOnShared(caller),
      archived: archived ?? false,
    }))
  },
})

/** The role on what belongs to the whole organization: owners and admins lead it, all others view it. */
export const roleOnShared = (caller: Caller): ProjectRole => (leadsAll(caller) ? 'lead' : 'viewer')

/** Condition: the caller sees a row that belongs to a project or (project_id null) to the whole organization. */
export const seesShared = (caller: Caller, table: Sql): Sql => sql`${table}.org_id = ${caller.orgId}
  and ${table}.deleted_at is null and (${table}.project_id is null or ${seesProject(caller, sql`${table}.project_id`)})`
