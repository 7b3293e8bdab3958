import { Prerendered } from '../contract/prerendered.ts'
import { atLeast, type Columns } from '../db/columns.ts'
import { type Strip, stripRow, withDetaching } from '../db/detachments.ts'
import { expected } from '../db/expected.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Cursors } from './cursor.ts'
import type { CursorList, PageRequest } from './cursor-list.ts'
import { lastItem, splitItems, stripItems, withoutLastItem } from './joined-items.ts'
import { inOrder, isSorted, type Order } from './order.ts'
import type { Place } from './packing.ts'
import { sortedStatement } from './sorted-statement.ts'

interface Page<Item> {
  data: Item[]
  pagination: { nextCursor: string | null }
}

/**
 * A page in a stable order. A row that stays visible and unmoved while somebody pages is returned exactly once, one that
 * is inserted or deleted meanwhile at most once.
 */
export async function cursorPage<Item extends { id: string }>(
  request: PageRequest,
  { columns, strip, ...list }: CursorList & { columns: Columns; strip: Strip<Item> },
): Promise<Page<Item>> {
  const { limit, fields } = request.query
  const { orgId } = request.caller
  const { order } = list
  const places = isSorted(order) ? sql`, page.run as "placeRun", page.key as "placeKey"` : sql.empty
  const read = columns.of(atLeast(fields, 'id', ...momentIn(order)))
  const all = sql`${read}${places}${withDetaching(orgId)}`
  const rows = await request.db.rows<Item & Partial<Placed>>(pageStatement(request, list, all))
  const [last, next] = [rows[limit - 1], rows[limit]].map((row) => row && placeOf(order, row))
  const nextCursor = last && next ? nextCursorOf(request.cursors, orgId, order, last, next) : null
  const stripped = rows.slice(0, limit).map((row) => stripRow(row, strip))
  const data = isSorted(order) ? stripped.map(withoutPlace) : stripped
  return { data, pagination: { nextCursor } }
}

/** The field that tells the place of a row besides its id. */
const momentIn = (order: Order) => (isSorted(order) || order.moment === undefined ? [] : [order.moment])

interface Placed {
  placeRun: number
  placeKey: number
}

function placeOf<Item extends { id: string }>(order: Order, row: Item & Partial<Placed>): Place {
  const { id, placeRun = 0, placeKey = 0 } = row
  if (isSorted(order) || order.moment === undefined) return { id, run: placeRun, key: placeKey }
  return { id, run: 0, key: Date.parse(String(row[order.moment as keyof Item])) }
}

function withoutPlace<Item>(row: Item & Partial<Placed>): Item {
  delete row.placeKey
  delete row.placeRun
  return row
}

interface PrerenderedList<Item> extends CursorList {
  /** the column that holds the text which a row is shown as */
  prerendered: Sql
  columns: Columns
  /** how an item is shown that may lose what it bears */
  strip: Strip<Item>
  /** adds to the texts of a page what else is asked for */
  include?: ((texts: readonly string[]) => Promise<string[]>) | undefined
}

/**
 * The same page, of rows that keep the text which they are shown as: it reaches the client as it is. Where only some fields
 * are wanted, that text is not read.
 */
export async function prerenderedPage<Item extends { id: string }, Full extends Item = Item>(
  request: PageRequest,
  { prerendered, columns, strip, include, ...list }: PrerenderedList<Item>,
): Promise<Prerendered<Page<Full>> | Page<Full>> {
  const { limit, fields } = request.query
  if (fields) {
    const page = await cursorPage(request, { columns, strip, ...list })
    if (include === undefined) return page as Page<Full>
    return textOf(await include(page.data.map((item) => JSON.stringify(item))), page.pagination)
  }
  const { orgId } = request.caller
  const { order, table } = list
  const keys = isSorted(order) ? sql`page.run, page.key, page.id` : order.keys
  const by = isSorted(order) ? inOrder(order, table) : order.by
  const places = isSorted(order)
    ? sql`, json_agg(json_build_array(${table}.run, ${table}.key, ${table}.id) order by ${by}) as places`
    : sql.empty
  const { count, all, detaching, ...found } = expected(
    await request.db.row<Joined>(sql`
      select count(*)::int as count,
        string_agg(${table}.shown, ',' order by ${by}) as all${places}${withDetaching(orgId)}
      from (${pageStatement(request, list, sql`${keys}, ${prerendered} as shown`)}) ${table}`),
    'A count',
  )
  const more = count > limit
  let data = (more ? withoutLastItem(all ?? '') : all) ?? ''
  const [last, next] = more ? ends(order, limit, data, all ?? '', found.places) : []
  const nextCursor = last && next ? nextCursorOf(request.cursors, orgId, order, last, next) : null
  if (detaching !== null) data = stripItems(data, strip, detaching)
  const texts = include ? await include(splitItems(data)) : [data]
  return textOf(texts, { nextCursor })
}

const textOf = <Item>(items: readonly string[], pagination: Page<Item>['pagination']): Prerendered<Page<Item>> =>
  new Prerendered(`{"data":[${items.join()}],"pagination":${JSON.stringify(pagination)}}`)

interface Joined {
  count: number
  /** the texts, joined by commas */
  all: string | null
  detaching: string[] | null
  /** of a sorted list */
  places?: [run: number, key: number, id: string][] | null
}

/** The places of the last row of a page and of the one behind it. */
function ends(order: Order, limit: number, data: string, all: string, places: Joined['places']): Place[] {
  if (isSorted(order)) return (places ?? []).slice(limit - 1).map(([run, key, id]) => ({ run, key, id }))
  return [data, all].map((joined) => placeOf(order, JSON.parse(lastItem(joined)) as { id: string }))
}

/**
 * The cursor that goes on behind a row.
 * @param next the row that comes behind it
 */
export function nextCursorOf(cursors: Cursors, orgId: string, order: Order, last: Place, next: Place): string {
  if (isSorted(order)) return cursors.sealBits(orgId, order.name, order.packing.pack(last, next))
  if (order.moment === undefined) return cursors.seal(orgId, order.list, last)
  return cursors.seal(orgId, order.list, { id: last.id, sortMs: last.key }, { id: next.id, sortMs: next.key })
}

/** How many matching rows are scanned for a caller who sees few of them, before its projects are merged instead. */
const scanLimit = 1_000

/** With no more projects than these and without filters, the projects are merged at once, without a scan. */
const directProjects = 8

/**
 * The statement of a page. Of an order whose form stays, there are two ways to read it:
 *
 * - Scan: walk the index in the order of the list and skip what the caller does not see. Short for a caller who sees
 *   everything or much of it.
 * - Merge: read the first rows of each project that the caller is in, and merge them. Short for a caller with few projects,
 *   for whom a scan would skip nearly all rows.
 *
 * Owners and admins always scan. Several projects that are named are merged, and those of them that the caller does not see
 * are not looked at. Otherwise, for others, the statement scans up to `scanLimit` rows; where these do not fill the page and
 * more rows match, it merges. Both ways stand in one statement, and one of the two halves always returns nothing.
 */
function pageStatement(request: PageRequest, list: CursorList, columns: Sql): Sql {
  if (isSorted(list.order)) return sortedStatement(request, { ...list, order: list.order }, columns)
  const { caller, cursors, query } = request
  const { table, where, either = [where], visibility } = list
  const { list: name, keys, by, after } = list.order
  const position = query.cursor === undefined ? undefined : cursors.open(caller.orgId, name, query.cursor)
  const behind = position && after(position)
  const there = sql`${table}.org_id = ${caller.orgId} and ${table}.deleted_at is null`
  const matches = sql.all(there, where, behind)
  const first = (limit: number, what: Sql, further: Sql) => {
    const [one = sql.empty, ...others] = either.map(
      (condition) =>
        sql`from ${table} where ${sql.all(there, condition, behind, further)} order by ${by} limit ${limit}`,
    )
    if (others.length === 0) return sql`select ${what} ${one}`
    const all = [one, ...others].map((rows) => sql`(select * ${rows})`)
    return sql`select ${what} from (${sql.join(all, ' union all ')}) ${table} order by ${by} limit ${limit}`
  }
  // one more than asked for tells whether a further row exists
  const inOrder = sql`order by ${by} limit ${query.limit + 1}`
  if (visibility.projects === undefined) {
    return first(query.limit + 1, columns, visibility.visible)
  }
  const merged = (ofProject: Sql) => sql`
    select ${table}.* from (
      select ${keys} from mine cross join lateral (
        select ${keys} from ${table} where ${ofProject} and ${table}.project_id = mine.project_id ${inOrder}) ${table}
      ${inOrder}) page
    cross join lateral (
      select * from ${table} where ${table}.org_id = ${caller.orgId} and ${table}.id = page.id offset 0) ${table}`
  if (visibility.ofNamed) {
    return sql`
      with mine as materialized (${visibility.projects})
      select ${columns} from (${merged(matches)}) ${table} order by ${by}`
  }
  // `is true` hides the filters from the planner, so that it walks the index of the project and not one of the filters
  const hidden = where && sql`(${where}) is true`
  const visible = sql`(${table}.project_id in (select mine.project_id from mine)) is true`
  // with filters always scan first: an index may find the few rows at once, while a walk through a project may be long
  const walks = where
    ? sql`true`
    : sql`(select count(*) from (select from mine limit ${directProjects + 1}) mine) > ${directProjects}`
  // Without filters `near` is a sub-select: its readers stop once the page is full. With filters it may be a long walk, so it
  // is a CTE, walked once for both of its readers.
  const nearest = (what: Sql) => first(scanLimit + 1, what, sql`exists (select from mine)`)
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
      ${merged(sql.all(there, behind, hidden))} where ${merges}) ${table}
    order by ${by}`
}
