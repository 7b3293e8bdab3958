import type { Caller } from '../access/caller.ts'
import type { Visibility } from '../access/visibility.ts'
import type { Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Cursors } from './cursor.ts'
import { inOrder, type Order, type WalkedRows } from './order.ts'

/** A list by cursor. */
export interface CursorList {
  table: Sql
  visibility: Visibility
  /** condition: the filters match a row, independent of the caller; undefined without filters */
  where: Sql | undefined
  order: Order
  /**
   * The one exception, for words in the order of ids: a query of the ids of the first rows. PostgreSQL does not know how common
   * the start of a word is. It walked through 500,000 rows for one without any match (0.4 s, here 1 ms).
   * @param behind condition: the row comes after the previous page
   */
  found?: ((limit: number, behind: Sql | undefined) => Sql) | undefined
}

/** A request for a page of a list by cursor. */
export interface PageRequest {
  db: Db
  caller: Caller
  cursors: Cursors
  query: {
    limit: number
    cursor?: string | undefined
    fields?: Fields
  }
}

/**
 * The statement of a page, and of the row after it. The rows have `sort_run` and `sort_key` beside the columns. There are two
 * ways to find them: a walk through the list in its order, and a merge of the caller's own rows. PostgreSQL plans both.
 */
export function pageStatement({ caller: { orgId }, cursors, query }: PageRequest, list: CursorList, columns: Sql): Sql {
  const { table, where, visibility, order } = list
  const { name, packing } = order
  const { projects, visible } = visibility
  const from = query.cursor === undefined ? undefined : cursors.openBits(orgId, name, query.cursor, packing.open)
  const limit = query.limit + 1
  const there = sql`${table}.org_id = ${orgId} and ${table}.deleted_at is null`
  const id = sql`${table}.id`
  const found = list.found?.(limit, from && sql`${id} < ${from.idBound}`)
  if (found)
    return sql`select ${columns}, 0 as sort_run, 0 as sort_key from ${table}
      where ${table}.org_id = ${orgId} and ${id} = any(array(${found})) order by ${id} desc`
  const walk = (rows: Omit<WalkedRows, 'limit'>) => order.walk({ ...rows, limit }, from)
  // a ranking always covers the whole list
  if (order.rankedSince || (projects === undefined && where === undefined))
    return walk({ columns, matching: sql.all(there, where, visible) })
  const walked = (matching: Sql) => walk({ columns: id, matching: sql.all(there, where, matching) })
  const ids = projects === undefined ? sql`page as materialized (${walked(visible)})` : walkedOrMerged()
  // offset 0 looks each row up by its id: with a generic plan, a join could read all rows of a large organization
  return sql`
    with ${ids}
    select ${columns}, page.sort_run, page.sort_key from page
    cross join lateral (select * from ${table} where ${table}.org_id = ${orgId} and ${id} = page.id offset 0) ${table}
    order by ${inOrder(order, sql`page`)}`

  function walkedOrMerged() {
    const isIndexed = where === undefined && order.byProject
    const ofEach = walk({ columns: id, matching: sql`${there} and ${table}.project_id = mine.project_id` })
    const own = sql`${table}.project_id = any(array(select mine.project_id from mine))`
    // `offset 0` hides filters and order: PostgreSQL read the index of a word (100,000 rows) beside the 60 of a caller
    const source = sql`(select * from ${table} where ${sql.all(there, own)} offset 0) ${table}`
    const merged = isIndexed
      ? sql`select first.* from mine cross join lateral (${ofEach}) first`
      : walk({ columns: id, source, matching: sql.all(where, sql`(select merge.pays from merge)`) })
    const isMine = sql`(${table}.project_id in (select mine.project_id from mine)) is true`
    return sql`mine as materialized (${projects}),
      merge as materialized (${mergePays(orgId, limit, isIndexed)}),
      page as materialized (
        select * from (${walked(sql`${isMine} and not (select merge.pays from merge)`)}) walked
        union all
        (select merged.* from (${merged}) merged
        where (select merge.pays from merge) order by ${inOrder(order, sql`merged`)} limit ${limit}))`
  }
}

/**
 * Query of `pays`: a merge reads fewer rows than a walk is expected to pass. The rarer the caller's rows are, the more rows a
 * walk passes to fill a page. Tasks stand for the rows of all lists, and a thousand projects for all: adding up 20,000 takes
 * longer than a page.
 * @param isIndexed whether an index has the rows of each project in this order, so that a merge reads at most a page of each
 */
const mergePays = (orgId: string, limit: number, isIndexed: boolean): Sql => sql`
  select coalesce(sum(own.merged) * sum(own.tasks), 0) <= ${sql.literal(isIndexed ? 1 : unevenness)} * ${limit}::integer * (
    select coalesce(sum(counted.last_task_number), 0) from (
      select projects.last_task_number from projects where projects.org_id = ${orgId} limit 1000) counted) as pays
  from (
    select projects.last_task_number as tasks,
      ${isIndexed ? sql`least(projects.last_task_number, ${limit}::integer)` : sql`projects.last_task_number`} as merged
    from projects where projects.org_id = ${orgId} and projects.id = any(array(select mine.project_id from mine))) own`

/** A walk is expected to pass this many times more rows with filters, or in orders that mix old and new rows. */
const unevenness = 10
