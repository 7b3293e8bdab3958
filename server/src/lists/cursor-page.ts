import { Prerendered } from '../contract/prerendered.ts'
import { atLeast, type Columns } from '../db/columns.ts'
import { type Strip, stripRow, withDetaching } from '../db/detachments.ts'
import { expected } from '../db/expected.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Cursors } from './cursor.ts'
import type { CursorList, PageRequest } from './cursor-list.ts'
import { lastItem, splitItems, stripItems, withoutLastItem } from './joined-items.ts'
import { inOrder, isSorted, type Order } from './order.ts'
import type { PackedPlace } from './packing.ts'
import { fitting, fittingRows, mostBytes } from './page-bytes.ts'
import { statementOf } from './statement.ts'

interface Page<Item> {
  data: Item[]
  pagination: { nextCursor: string | null; rankedSince?: string }
}

/**
 * A page in a stable order. A row that stays visible and unmoved while somebody pages is returned exactly once, one that
 * is inserted or deleted meanwhile at most once. Where items are very long it holds fewer of them.
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
  const rows = await request.db.rows<Item & Partial<Placed>>(statementOf(request, list, all))
  const count = Math.min(limit, fitting(rows))
  const [last, next] = [rows[count - 1], rows[count]].map((row) => row && placeOf(order, row))
  const nextCursor = last && next ? nextCursorOf(request.cursors, orgId, order, last, next) : null
  const stripped = rows.slice(0, count).map((row) => stripRow(row, strip))
  const data = isSorted(order) ? stripped.map(withoutPlace) : stripped
  return { data, pagination: { nextCursor, ...rankedSince(order, rows[0]?.placeKey) } }
}

/** The field that tells the place of a row besides its id. */
const momentIn = (order: Order) => (isSorted(order) || order.moment === undefined ? [] : [order.moment])

interface Placed {
  placeRun: number
  placeKey: number
}

function placeOf<Item extends { id: string }>(order: Order, row: Item & Partial<Placed>): PackedPlace {
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
  const all = sql`string_agg(${table}.shown, ',' order by ${by})`
  const isShort = sql`sum(octet_length(${table}.shown)) < ${mostBytes}`
  const joined = async (rows: Sql, shown: Sql) =>
    expected(
      await request.db.row<Joined>(sql`
        select count(*)::int as count,
          ${shown} as all${places}${withDetaching(orgId)} from (${rows}) ${table}`),
      'A count',
    )
  const read = async (rows: Sql) => {
    const whole = await joined(rows, sql`case when ${isShort} then ${all} end`)
    const { count } = whole
    if (count === 0 || whole.all !== null) return { ...whole, more: count > limit }
    const first = await joined(fittingRows(rows, table, by), all)
    return { ...first, more: first.count > 1 }
  }
  const page = await read(statementOf(request, list, sql`${keys}, ${prerendered} as shown`))
  const { more, detaching, ...found } = page
  const text = found.all ?? ''
  let data = more ? withoutLastItem(text) : text
  const [last, next] = more ? ends(order, data, text, found.places) : []
  const nextCursor = last && next ? nextCursorOf(request.cursors, orgId, order, last, next) : null
  if (detaching !== null) data = stripItems(data, strip, detaching)
  const texts = include ? await include(splitItems(data)) : [data]
  return textOf(texts, { nextCursor, ...rankedSince(order, found.places?.[0]?.[1]) })
}

/** Says so where not all that matches was put in order. */
function rankedSince(order: Order, key: number | undefined): { rankedSince?: string } {
  const since = isSorted(order) && key !== undefined ? order.rankedSince?.(key) : undefined
  return since === undefined ? {} : { rankedSince: since }
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
function ends(order: Order, data: string, all: string, places: Joined['places']): PackedPlace[] {
  if (isSorted(order)) return (places ?? []).slice(-2).map(([run, key, id]) => ({ run, key, id }))
  return [data, all].map((joined) => placeOf(order, JSON.parse(lastItem(joined)) as { id: string }))
}

/**
 * The cursor that goes on behind a row.
 * @param next the row that comes behind it
 */
export function nextCursorOf(
  cursors: Cursors,
  orgId: string,
  order: Order,
  last: PackedPlace,
  next: PackedPlace,
): string {
  if (isSorted(order)) return cursors.sealBits(orgId, order.name, order.packing.pack(last, next))
  if (order.moment === undefined) return cursors.seal(orgId, order.list, last)
  return cursors.seal(orgId, order.list, { id: last.id, sortMs: last.key }, { id: next.id, sortMs: next.key })
}
