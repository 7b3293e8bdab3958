import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { matches } from '../../search/condition.ts'
import { newestFound, seenBy } from '../../search/newest.ts'
import type { Query } from '../../search/query.ts'
import { type KindName, type Searched, searchedKinds } from './kinds.ts'

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

/** Statement: what is shown of the things of a kind that are found, newest first; that of the key before them. */
export function hitsFound(caller: Caller, name: KindName, { query, key, limit, idBound, within }: Wanted): Sql {
  const { orgId } = caller
  const kind = searchedKinds[name]
  const { table } = kind
  const isOfKey = key === undefined ? undefined : sql`tasks.key = ${key}`
  const matching = sql.all(matches(kind, orgId, query), isOfKey && sql`not ${isOfKey}`)
  const behind = idBound === undefined ? undefined : sql`${table}.id < ${idBound}`
  const ids = newestFound(kind, caller, { matching, within, limit, behind })
  const found = sql`select found.id, false as "byKey" from (${ids}) found`
  const there = sql.all(
    sql`${table}.org_id = ${orgId} and ${table}.deleted_at is null`,
    isOfKey,
    seenBy(caller, kind, within),
  )
  const byKey = isOfKey && idBound === undefined && sql`union all select ${table}.id, true from ${table} where ${there}`
  return sql`
    select ${shown(kind)} from (${found} ${byKey || sql.empty}) page
    ${sql.join(joins(kind, orgId), ' ')} order by page."byKey" desc, page.id desc`
}

const none = sql`null::text`
const names = (named: Sql) => sql`json_build_object('id', ${named}.id, 'key', ${named}.key, 'name', ${named}.name)`

const shown = ({ table, key = none, name = none, text = none, memberId = none, taskId }: Searched) => sql`
  page.id, page."byKey", ${key} as key, ${name} as name, ${text} as text, ${names(sql`project`)} as project,
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
