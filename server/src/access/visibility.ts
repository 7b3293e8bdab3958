import { isAnyOf, isAnyOfOrNone } from '../db/any-of.ts'
import type { Columns } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { type Strip, withDetaching } from '../db/detachments.ts'
import type { RowLock } from '../db/sql.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Caller, ProjectRole } from './caller.ts'
import type { Loader } from './loader.ts'
import { lockProject } from './locks.ts'

/** The rows of a table that the caller sees. */
export interface Visibility {
  /** condition: the caller sees the row */
  visible: Sql
  /** query of `project_id`: the projects that the caller sees; absent for owners and admins, and if one project is named */
  projects?: Sql
}

/** Whether the caller leads every project of the organization: owners and admins do. */
export const leadsAll = ({ role }: Pick<Caller, 'role'>) => role === 'owner' || role === 'admin'

/**
 * Condition for lists: the caller sees the project with this id. `is true` keeps the planner from turning the sub-select
 * into a join, for which it would sort the whole organization.
 */
export const seesProject = (caller: Caller, projectId: Sql): Sql =>
  sql`(${projectId} in (${
    leadsAll(caller)
      ? sql`select projects.id from projects where projects.org_id = ${caller.orgId} and projects.deleted_at is null`
      : memberships(caller)
  })) is true`

/** Condition: the row is in a deleted project. Such a row has no `deleted_at` of its own, but nobody sees it. */
export const inDeletedProject = (orgId: string, table: Sql): Sql => sql`(${table}.project_id in (
  select projects.id from projects where projects.org_id = ${orgId} and projects.deleted_at is not null))`

/** Query of `project_id`: the existing projects of a member, from indexes alone. */
export function memberships({ orgId, memberId }: Caller): Sql {
  return sql`select project_members.project_id from project_members
    where project_members.org_id = ${orgId} and project_members.member_id = ${memberId}
      and ${inDeletedProject(orgId, sql`project_members`)} is not true`
}

/**
 * The rows that the caller sees in a table whose rows belong to projects. Owners and admins see the rows of all projects that
 * are not deleted, others those of their own projects.
 * @param within the projects by which the list is filtered
 */
export function visibilityOf(caller: Caller, table: Sql, within: readonly string[] = []): Visibility {
  const { orgId } = caller
  if (within.length > 1) {
    const projects = seenAmong(caller, within)
    return { visible: sql`${table}.project_id = any(array(${projects}))`, projects }
  }
  if (leadsAll(caller)) return { visible: sql`${inDeletedProject(orgId, table)} is not true` }
  const [named] = within
  if (named === undefined) {
    const projects = memberships(caller)
    return { visible: sql`(${table}.project_id in (${projects})) is true`, projects }
  }
  // checked once, before any row is read: the response time must not reveal a project that the caller is not in
  return { visible: sql`exists (${memberships(caller)} and project_members.project_id = ${named})` }
}

/**
 * Query of `project_id`: the projects that the caller sees, only those of a filter if it names some. Undefined for owners and
 * admins without a filter: they see all projects that are not deleted.
 */
export function projectsOf(caller: Caller, within: readonly string[] = []): Sql | undefined {
  return within.length > 0 ? seenAmong(caller, within) : visibilityOf(caller, sql`projects`).projects
}

/** Query of `project_id`: the projects among these that the caller sees. */
const seenAmong = (caller: Caller, ids: readonly string[]): Sql => sql`select projects.id as project_id from projects
  where ${sql.all(
    sql`projects.org_id = ${caller.orgId} and projects.id = any(${ids}) and projects.deleted_at is null`,
    !leadsAll(caller) &&
      sql`exists (select from project_members where project_members.org_id = ${caller.orgId}
        and project_members.project_id = projects.id and project_members.member_id = ${caller.memberId})`,
  )}`

/**
 * Condition: the row is in the project by which a list is filtered. Undefined for several projects: then `visibilityOf` selects
 * those that the caller sees, so that no rows of others are read.
 */
export const inProjects = (table: Sql, within: readonly string[]): Sql | undefined =>
  within.length > 1 ? undefined : isAnyOf(sql`${table}.project_id`, within)

/**
 * Condition: a column names one of these rows of another table, or null if `none` is among them.
 * @param table its rows belong to a project or (project_id null) to the whole organization, which everybody sees
 */
export function namesSeen(caller: Caller, column: Sql, table: Sql, values: readonly string[]): Sql {
  const named = isAnyOfOrNone(column, values)
  return values.includes('none') ? named : whereAnyVisible(caller, table, values, named)
}

/**
 * The condition, if the caller sees any of these rows of another table. If the caller sees none of them, no row is read: the
 * response time must not reveal the boards and tasks of others.
 */
export function whereAnyVisible(caller: Caller, table: Sql, ids: readonly string[], condition: Sql): Sql {
  if (leadsAll(caller)) return condition
  return sql`exists (
    select from ${table} where ${table}.org_id = ${caller.orgId} and ${isAnyOf(sql`${table}.id`, ids)}
      and (${table}.project_id is null or ${seesProject(caller, sql`${table}.project_id`)})) and ${condition}`
}

/**
 * Query: the caller's role in the project and whether it is archived; no row if the caller does not see it. For lookups by id. A
 * write locks these rows: until it commits, nobody can delete or archive the project, or remove the caller from it. The query
 * runs for each row: in a free join, all rows of the caller's projects could be read for one of them.
 */
export function roleIn(caller: Caller, projectId: Sql, lock: RowLock): Sql {
  const archived = sql`projects.status = 'archived' as archived`
  const locked = lockProject(lock === 'none' ? 'none' : 'share', sql`projects.id = ${projectId}`)
  if (leadsAll(caller)) {
    return sql`select 'lead' as role, ${archived} from projects where projects.org_id = ${caller.orgId}
      and projects.deleted_at is null and ${locked}
      ${rowLock(lock, sql`for key share of projects`)}`
  }
  return sql`select project_members.role, ${archived} from project_members
    join projects on projects.org_id = project_members.org_id and projects.id = project_members.project_id
    where project_members.org_id = ${caller.orgId} and project_members.project_id = ${projectId}
      and project_members.member_id = ${caller.memberId} and projects.deleted_at is null and ${locked}
    ${rowLock(lock, sql`for share of project_members for key share of projects`)}`
}

/** Whether the caller leads a project. The role cannot change until the transaction ends. */
export async function leads(db: Db, caller: Caller, projectId: string): Promise<boolean> {
  if (leadsAll(caller)) return true
  // without the project's advisory lock: the caller already holds rows of another project
  const row = await db.row<{ role: ProjectRole }>(sql`
    select project_members.role from project_members
    where project_members.org_id = ${caller.orgId} and project_members.project_id = ${projectId}
      and project_members.member_id = ${caller.memberId} for share`)
  return row?.role === 'lead'
}

// both keep the planner from joining in another order
const rowLock = (lock: RowLock, clause: Sql) => (lock === 'none' ? sql`offset 0` : clause)

/** How long a deleted resource can be restored. */
export const restorableMs = 30 * 86_400_000

/** Condition: the row is not deleted; or, for a restore, it was deleted within the last 30 days. */
export const present = (table: Sql, deleted = false): Sql =>
  deleted
    ? sql`${table}.deleted_at > ${new Date(Date.now() - restorableMs).toISOString()}`
    : sql`${table}.deleted_at is null`

interface Rows<Item> {
  table: Sql
  columns: Columns
  /** removes ids that are being detached from a row */
  strip?: Strip<Item>
}

/** Loads rows by id from a table that every member of the organization sees. No role is needed for them. */
export const inOrganization = <Item>({ table, columns }: Rows<Item>): Loader<Item> => ({
  belongsTo: 'organization',
  async load(db, { orgId }, { ids, lock, deleted, fields }) {
    const items = await db.rows<Item>(sql`
      select ${columns.of(fields)} from ${table}
      where ${table}.org_id = ${orgId} and ${table}.id = any(${ids}) and ${present(table, deleted)}
      ${sql.lock(lock, table)}`)
    return items.map((item) => ({ item, role: 'lead' }))
  },
})

interface Access {
  projectRole: ProjectRole | null
  archived: boolean | null
}

/**
 * Loads rows by id from a table whose rows belong to a project.
 * @param holding joins the rows that a write locks before the row itself
 */
export const inProject = <Item extends object>(rows: Rows<Item>, holding?: (caller: Caller) => Sql): Loader<Item> =>
  projectLoader('project', rows, holding)

/** Loads rows by id from a table whose rows belong to a project or (project_id null) to the whole organization. */
export const sharedOrInProject = <Item extends object>(rows: Rows<Item>): Loader<Item> => projectLoader('either', rows)

const projectLoader = <Item extends object>(
  belongsTo: 'project' | 'either',
  { table, columns, strip }: Rows<Item>,
  holding: (caller: Caller) => Sql = () => sql.empty,
): Loader<Item> => ({
  belongsTo,
  async load(db, caller, { ids, lock, deleted, fields }) {
    const either = belongsTo === 'either'
    const condition = either ? sql`and (${table}.project_id is null or access.role is not null)` : sql.empty
    const rows = await db.rows<Item & Access & { detaching?: string[] | null }>(sql`
      select ${columns.of(fields)}, access.role as "projectRole", access.archived${strip ? withDetaching(caller.orgId) : sql.empty}
      from ${table} ${either ? sql`left join` : sql`join`} lateral (${roleIn(caller, sql`${table}.project_id`, lock)}) access on true
        ${lock === 'none' ? sql.empty : holding(caller)}
      where ${table}.org_id = ${caller.orgId} and ${table}.id = any(${ids}) and ${present(table, deleted)} ${condition}
      ${sql.lock(lock, table)}`)
    return rows.map(({ projectRole, archived, detaching, ...item }) => ({
      item: detaching && strip ? strip(item as Item, detaching) : (item as Item),
      role: projectRole ?? roleOnShared(caller),
      ...(archived === null ? {} : { archived }),
    }))
  },
})

/** The role for resources of the whole organization: owners and admins lead them, all others view them. */
const roleOnShared = (caller: Caller): ProjectRole => (leadsAll(caller) ? 'lead' : 'viewer')

/** Condition: the caller sees a row that belongs to a project or (project_id null) to the whole organization. */
export const seesShared = (caller: Caller, table: Sql): Sql => sql`${table}.org_id = ${caller.orgId}
  and ${table}.deleted_at is null and (${table}.project_id is null or ${seesProject(caller, sql`${table}.project_id`)})`
