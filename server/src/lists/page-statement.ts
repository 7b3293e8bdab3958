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
  /** condition: the filters match a row, whoever may see it; none where nothing is filtered */
  where: Sql | undefined
  order: Order
  /**
   * The one exception, for words in the order of ids: a query of the ids of the first rows. PostgreSQL does not know how common the
   * beginning of a word is, and walked past 500,000 rows for one that is nowhere (0.4 s, here 1 ms).
   * @param behind condition: the row stands behind the page before
   */
  found?: ((limit: number, behind: Sql | undefined) => Sql) | undefined
}

/** Who asks for a page of a list by cursor, and for which. */
export interface PageRequest {
  db: Db
  caller: Caller
  cursors: Cursors
  query: {
    limit: number
    cursor?: string | undefined
    /** the fields of the items that the caller wants */
    fields?: Fields
  }
}

/**
 * The statement of a page, and of the row behind it. The rows have `sort_run` and `sort_key` beside the columns. There are two ways to
 * find them: a walk through the list in its order, and a merge of the first rows of each project that the caller sees. PostgreSQL plans
 * both. The merge reads nothing but what the caller sees, so it is taken where that is little: there a walk could pass over all other rows.
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
  // what is ranked, is ranked as a whole
  if (projects === undefined || order.rankedSince) return walk({ columns, matching: sql.all(there, where, visible) })
  const isMine = sql`(${table}.project_id in (select mine.project_id from mine)) is true`
  const walked = walk({ columns: id, matching: sql.all(there, where, isMine, sql`not (select few.are from few)`) })
  // hidden from the planner (is true, offset 0), which would read the index of a filter or of the order to its end for each project
  const ofProject = sql`${there} and ${table}.project_id = mine.project_id`
  const inProject = walk({
    columns: id,
    ...(order.byProject ? {} : { source: sql`(select * from ${table} where ${ofProject} offset 0) ${table}` }),
    matching: sql.all(order.byProject && ofProject, where ? sql`(${where}) is true` : sql`true`),
  })
  // each row is looked up by its id (hence offset 0): planned for all values, a join could read all rows of a large organization
  return sql`
    with mine as materialized (${projects}),
      few as materialized (
        select coalesce(sum(projects.last_task_number), 0) <= ${mostMerged} as are from projects
        where projects.org_id = ${orgId} and projects.id in (select mine.project_id from mine)),
      page as materialized (
        select * from (${walked}) walked
        union all
        (select merged.* from mine cross join lateral (${inProject}) merged
        where (select few.are from few) order by ${inOrder(order, sql`merged`)} limit ${limit}))
    select ${columns}, page.sort_run, page.sort_key from page
    cross join lateral (select * from ${table} where ${table}.org_id = ${orgId} and ${id} = page.id offset 0) ${table}
    order by ${inOrder(order, sql`page`)}`
}

/** The projects of the caller are merged if they have had no more tasks than these in all. */
const mostMerged = 10_000
