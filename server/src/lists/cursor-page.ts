import type { Caller } from '../access/caller.ts'
import type { Visibility } from '../access/visibility.ts'
import { Prerendered } from '../contract/prerendered.ts'
import type { Db } from '../db/db.ts'
import { type Strip, stripRow, withDetaching } from '../db/detachments.ts'
import { expected } from '../db/expected.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Cursors, List, Position } from './cursor.ts'
import { lastItem, splitItems, stripItems, withoutLastItem } from './joined-items.ts'

interface CursorList {
  list: List
  table: Sql
  /** condition: the filters match the row, whoever may see it; none where nothing is filtered */
  where: Sql | undefined
  visibility: Visibility
  /** the columns that the order is made of, the id among them */
  keys: Sql
  order: Sql
  /** the rows behind a position, by row comparison, so that the index finds them */
  after: (position: Position) => Sql
}

interface PageRequest {
  db: Db
  caller: Caller
  cursors: Cursors
  query: { limit: number; cursor?: string | undefined }
}

interface Page<Item> {
  data: Item[]
  pagination: { nextCursor: string | null }
}

/**
 * A page in a stable order. A row that stays visible and unmoved while somebody pages is returned exactly once, one that
 * is inserted or deleted meanwhile at most once.
 * @param sortMs the sort key of a row in ms
 */
export async function cursorPage<Item extends { id: string }>(
  request: PageRequest,
  { columns, strip, ...list }: CursorList & { columns: Sql; strip: Strip<Item>; sortMs: (item: Item) => number },
): Promise<Page<Item>> {
  const { limit } = request.query
  const { orgId } = request.caller
  const place = (item: Item) => ({ id: item.id, sortMs: list.sortMs(item) })
  const rows = await request.db.rows<Item>(pageStatement(request, list, sql`${columns}${withDetaching(orgId)}`))
  const data = rows.slice(0, limit).map((row) => stripRow(row, strip))
  const [last, next] = [data.at(-1), rows[limit]]
  const nextCursor = last && next ? request.cursors.seal(orgId, list.list, place(last), place(next)) : null
  return { data, pagination: { nextCursor } }
}

interface PrerenderedList<Item> extends CursorList {
  /** the column that holds the text which a row is shown as */
  prerendered: Sql
  /** how an item is shown that may lose what it bears */
  strip: Strip<Item>
  /** adds to the texts of a page what else is asked for */
  include?: ((texts: readonly string[]) => Promise<string[]>) | undefined
}

/**
 * The same page of a list that is ordered by its ids, of rows that keep the text which they are shown as: it reaches the
 * client as it is.
 */
export async function prerenderedPage<Item extends { id: string }, Full extends Item = Item>(
  request: PageRequest,
  { prerendered, strip, include, ...list }: PrerenderedList<Item>,
): Promise<Prerendered<Page<Full>>> {
  const { count, all, detaching } = expected(
    await request.db.row<{ count: number; all: string | null; detaching: string[] | null }>(sql`
      select count(*)::int as count,
        string_agg(${list.table}.shown, ',' order by ${list.order}) as all${withDetaching(request.caller.orgId)}
      from (${pageStatement(request, list, sql`${list.keys}, ${prerendered} as shown`)}) ${list.table}`),
    'A count',
  )
  const more = count > request.query.limit
  let data = (more ? withoutLastItem(all ?? '') : all) ?? ''
  const last = more ? (JSON.parse(lastItem(data)) as Item) : undefined
  const pagination = { nextCursor: last ? request.cursors.seal(request.caller.orgId, list.list, last) : null }
  if (detaching !== null) data = stripItems(data, strip, detaching)
  if (include) data = (await include(splitItems(data))).join()
  return new Prerendered(`{"data":[${data}],"pagination":${JSON.stringify(pagination)}}`)
}

/** How many matching rows are scanned for a caller who sees few of them, before its projects are merged instead. */
const scanLimit = 1_000

/** With no more projects than these and without filters, the projects are merged at once, without a scan. */
const directProjects = 8

/**
 * The statement of a page. There are two ways to read it:
 *
 * - Scan: walk the index in the order of the list and skip what the caller does not see. Short for a caller who sees
 *   everything or much of it.
 * - Merge: read the first rows of each project that the caller is in, and merge them. Short for a caller with few projects,
 *   for whom a scan would skip nearly all rows.
 *
 * Owners and admins always scan. For others the statement scans up to `scanLimit` rows; where these do not fill the page and
 * more rows match, it merges. Both ways stand in one statement, and one of the two halves always returns nothing.
 */
function pageStatement({ caller, cursors, query }: PageRequest, list: CursorList, columns: Sql): Sql {
  const { table, where, visibility, keys, order, after } = list
  const position = query.cursor === undefined ? undefined : cursors.open(caller.orgId, list.list, query.cursor)
  const behind = position && after(position)
  const there = sql`${table}.org_id = ${caller.orgId} and ${table}.deleted_at is null`
  const matches = sql.all(there, where, behind)
  // one more than asked for tells whether a further row exists
  const inOrder = sql`order by ${order} limit ${query.limit + 1}`
  if (visibility.projects === undefined) {
    return sql`select ${columns} from ${table} where ${matches} and ${visibility.visible} ${inOrder}`
  }
  // `is true` hides the filters from the planner, so that it walks the index of the project and not one of the filters
  const inProject = sql.all(
    sql`${there} and ${table}.project_id = mine.project_id`,
    behind,
    where && sql`(${where}) is true`,
  )
  const visible = sql`(${table}.project_id in (select mine.project_id from mine)) is true`
  // with filters always scan first: an index may find the few rows at once, while a walk through a project may be long
  const walks = where
    ? sql`true`
    : sql`(select count(*) from (select from mine limit ${directProjects + 1}) mine) > ${directProjects}`
  // Without filters `near` is a sub-select: its readers stop once the page is full. With filters it may be a long walk, so it
  // is a CTE, walked once for both of its readers.
  const nearest = (what: Sql) => sql`
    select ${what} from ${table} where ${matches} and exists (select from mine) order by ${order} limit ${scanLimit + 1}`
  const near = where ? sql`near` : sql`(${nearest(sql`*`)})`
  const counted = where ? near : sql`(${nearest(sql.empty)})`
  const merges = sql`case when (select count(*) from seen) > ${query.limit} then false
    when ${walks} then (select count(*) from ${counted} near) > ${scanLimit} else true end`
  return sql`
    with mine as materialized (${visibility.projects}),
      ${where ? sql`near as materialized (${nearest(sql`*`)}),` : sql.empty}
      seen as materialized (select * from ${near} ${table} where ${visible} and ${walks} ${inOrder})
    select ${columns} from (
      select * from seen where not ${merges}
      union all
      select ${table}.* from (
        select ${keys} from mine
        cross join lateral (select ${keys} from ${table} where ${inProject} ${inOrder}) ${table}
        ${inOrder}) page
      cross join lateral (
        select * from ${table} where ${table}.org_id = ${caller.orgId} and ${table}.id = page.id offset 0) ${table}
      where ${merges}) ${table}
    order by ${order}`
}
