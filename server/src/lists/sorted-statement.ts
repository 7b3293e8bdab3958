import { type Sql, sql } from '../db/sql.ts'
import type { CursorList, PageRequest } from './cursor-list.ts'
import { inOrder, type SortedOrder } from './order.ts'

/**
 * How many matching rows are scanned for who may ask for few of them, before the projects are read instead. With filters
 * each is looked at itself, and not in the index of the order alone.
 */
const scanLimits = { unfiltered: 2_000, filtered: 1_000 }

// a limit that is a parameter is a tenth of all rows to the planner of a generic plan: it would read and sort everything
const mostOfPage = sql.literal(101)

/**
 * The statement of a page in an order that was asked for. First it finds the keys of the rows, mostly in an index alone, and
 * then the rows themselves. Owners and admins walk the index of the order. For others, and where several projects are named,
 * the walk ends after so many rows; where these do not fill the page and more match, the rows of each of the projects are put
 * in order, or its first ones taken where an index has them in that order.
 */
export function sortedStatement(
  { caller: { orgId }, cursors, query }: PageRequest,
  { table, where, either = [where], sources, visibility, order }: CursorList & { order: SortedOrder },
  columns: Sql,
): Sql {
  const { cursor } = query
  const { packing, name, walk } = order
  const from = cursor === undefined ? undefined : cursors.openBits(orgId, name, cursor, packing.open)
  // one more than asked for tells whether a further row exists
  const limit = query.limit + 1
  const there = sql`${table}.org_id = ${orgId} and ${table}.deleted_at is null`
  const filtered = where && sql.customPlan(where)
  const rowsOf = (page: Sql) => sql`
    select ${columns} from (${page}) page
    cross join lateral (select * from ${table} where ${table}.org_id = ${orgId} and ${table}.id = page.id offset 0) ${table}
    order by ${inOrder(order, sql`page`)}`
  // that every row has a version no index knows: else the planner, who need not look at the rows of a vacuumed table, would read
  // another index that holds what is asked for from end to end; that of the order holds less than a filter, or no project
  const looked = sql`${table}.version > 0`
  const first = (further: Sql, most: Sql) => {
    const walks = either.map((condition, i) => {
      const filter = condition && sql.customPlan(condition)
      const matching = sql.all(there, filter, (condition || order.byProject) && looked, further)
      return walk({ source: sources?.[i], matching, limit: most }, from)
    })
    if (walks.length === 1) return sql.join(walks, '')
    const all = walks.map((rows) => sql`(${rows})`)
    return sql`select * from (${sql.join(all, ' union all ')}) walked order by ${inOrder(order, sql`walked`)} limit ${most}`
  }
  const { projects, visible } = visibility
  if (projects === undefined) {
    const page = first(visible, mostOfPage)
    return rowsOf(sql`select * from (${page}) page limit ${limit}`)
  }
  const ofProject = sql`${there} and ${table}.project_id = mine.project_id`
  const matches = filtered && sql`(${filtered}) is true`
  const [source, matching] = order.byProject
    ? [undefined, sql.all(ofProject, matches)]
    : // behind a fence, so that the project is read and no index of the order or of a filter from end to end
      [sql`(select * from ${table} where ${ofProject} offset 0) ${table}`, matches ?? sql`true`]
  const merged = (condition: Sql) => sql`
    select merged.* from mine cross join lateral (${walk({ source, matching, limit: mostOfPage }, from)}) merged
    where ${condition} order by ${inOrder(order, sql`merged`)} limit ${limit}`
  const scanLimit = where ? scanLimits.filtered : scanLimits.unfiltered
  const nearest = first(sql`exists (select from mine)`, sql.literal(scanLimit + 1))
  // without filters its readers stop once the page is full; with filters it may be a long walk, done once for both of them
  const near = where ? sql`near` : sql`(${nearest})`
  const merges = sql`(select turn.merges from turn)`
  return sql`
    with mine as materialized (${projects}),
      ${where ? sql`near as materialized (${nearest}),` : sql.empty}
      seen as materialized (
        select * from ${near} near where (near.project_id in (select mine.project_id from mine)) is true limit ${limit}),
      turn as materialized (select case when (select count(*) from seen) > ${query.limit} then false
        else (select count(*) from ${near} near) > ${scanLimit} end as merges)
    ${rowsOf(sql`
      select * from seen where not ${merges}
      union all
      (${merged(merges)})`)}`
}
