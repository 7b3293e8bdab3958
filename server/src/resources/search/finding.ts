import type { Caller } from '../../access/caller.ts'
import { inDeletedProject, projectsOf } from '../../access/visibility.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { idsFound } from '../../search/finding.ts'
import type { Query } from '../../search/query.ts'
import { followed, type KindName, type Searched, searchedTasks } from './kinds.ts'

/** What is wanted of a kind. */
interface Wanted {
  query: Query
  /** of tasks: the key of one that is found too, and first */
  key?: string | undefined
  limit: number
  /** all have smaller ids; that of the key is not among them */
  idBound?: string | undefined
  within?: readonly string[] | undefined
}

/** How many of the last events are looked at that the words of things did not follow yet. */
export const mostPending = 1_000

/** How long the texts of a kind are in all, in bytes, that are compared for that. */
export const mostPendingBytes = 250_000

/**
 * Statement: what is shown of the things of a kind that are found, newest first; that of the key before them. What was changed
 * so lately that its words did not follow yet is among them whether it matches or not: `pending`.
 */
export function hitsFound(caller: Caller, name: KindName, wanted: Wanted): Sql {
  const { orgId } = caller
  const kind = name === 'task' ? searchedTasks : followed[name]
  const { query, limit, idBound, within } = wanted
  const ids = idsFound(kind.kind, caller, query, { limit, idBound, within })
  const found = sql`select found.id, false as "byKey", false as pending from (${ids}) found
    ${wanted.key === undefined ? sql.empty : sql`where found.id <> all(array(${ofKey(caller, wanted.key)}))`}`
  const others = name === 'task' ? byKey(caller, kind, wanted) : pending(caller, name, kind, wanted)
  return sql`
    select ${shown(kind)} from (${others ? sql`${found} union all ${others}` : found}) page
    ${sql.join(joins(kind, orgId), ' ')} order by page."byKey" desc, page.id desc`
}

const none = sql`null::text`
const names = (named: Sql) => sql`json_build_object('id', ${named}.id, 'key', ${named}.key, 'name', ${named}.name)`

const shown = ({ table, key = none, name = none, text = none, memberId = none, taskId }: Searched) => sql`
  page.id, page."byKey", page.pending, ${key} as key, ${name} as name, ${text} as text, ${names(sql`project`)} as project,
  ${taskId ? names(sql`task`) : none} as task, ${memberId} as "memberId", ${table}.created_at as "createdAt"`

// each row is looked up by itself (hence offset 0): joined freely, the page could be made anew for each row of the table
const joins = ({ table, projectId, taskId }: Searched, orgId: string) => [
  sql`cross join lateral (select * from ${table} where ${table}.org_id = ${orgId} and ${table}.id = page.id offset 0) ${table}
    cross join lateral (
      select * from projects project where project.org_id = ${orgId} and project.id = ${projectId} offset 0) project`,
  taskId
    ? sql`cross join lateral (
        select * from tasks task where task.org_id = ${orgId} and task.id = ${taskId(orgId)} offset 0) task`
    : sql.empty,
]

/** Condition: the row is there, and the caller sees it. */
function seen(caller: Caller, { table, projectId, kind }: Searched, { within, idBound }: Wanted): Sql {
  const projects = projectsOf(caller, within)
  return sql.all(
    sql`${table}.org_id = ${caller.orgId} and ${table}.deleted_at is null`,
    projects
      ? sql`(${projectId} in (${projects})) is true`
      : kind.projectColumn === undefined && sql`${inDeletedProject(caller.orgId, table)} is not true`,
    idBound !== undefined && sql`${table}.id < ${idBound}`,
  )
}

const ofKey = ({ orgId }: Caller, key: string) =>
  sql`select tasks.id from tasks where tasks.org_id = ${orgId} and tasks.key = ${key}`

/** Query: the task with the key. */
function byKey(caller: Caller, kind: Searched, wanted: Wanted): Sql | undefined {
  if (wanted.key === undefined || wanted.idBound !== undefined) return undefined
  return sql`select tasks.id, true, false from tasks where ${seen(caller, kind, wanted)} and tasks.key = ${wanted.key}`
}

/**
 * Query: what changed behind the position that the words of a kind followed to, as far as its texts are not too long to compare.
 * The log is read once, and each row looked up by itself (hence offset 0).
 */
function pending(caller: Caller, name: string, kind: Searched, wanted: Wanted): Sql {
  const { table, text = none } = kind
  const { orgId } = caller
  return sql`select late.id, false, true from (
    select ${table}.id, sum(coalesce(octet_length(${text}), 0)) over (order by ${table}.id desc) as bytes
    from (
      select distinct tail.resource_id as id from (
        select events.resource_id, events.type from events where events.org_id = ${orgId} and events.sequence > coalesce((
          select search_positions.sequence from search_positions where search_positions.org_id = ${orgId}), -1)
        order by events.sequence desc limit ${mostPending}) tail
      where tail.type like ${`${name.replace('_', '\\_')}.%`} offset 0) changed
    cross join lateral (
      select * from ${table} where ${seen(caller, kind, wanted)} and ${table}.id = changed.id offset 0) ${table}) late
    where late.bytes <= ${mostPendingBytes}`
}
