import { Prerendered } from '../contract/prerendered.ts'
import { atLeast, type Columns } from '../db/columns.ts'
import { type Strip, stripRow, withDetaching } from '../db/detachments.ts'
import { expected } from '../db/expected.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Cursors } from './cursor.ts'
import { splitItems, stripItems, withoutLastItem } from './joined-items.ts'
import { inOrder, type Order } from './order.ts'
import type { RowPlace } from './packing.ts'
import { countWithinPageBytes, maxPageBytes, rowsWithinPageBytes } from './page-bytes.ts'
import { type CursorList, type PageRequest, pageStatement } from './page-statement.ts'

interface Page<Item> {
  data: Item[]
  pagination: { nextCursor: string | null; rankedSince?: string }
}

/** The place of a row in the order of its list. */
interface Place {
  sort_run: number
  sort_key: number
}

/**
 * A page in a stable order. While a client pages, a row that stays visible and keeps its place is returned exactly once. A row
 * that is inserted or deleted in the meantime is returned at most once. A page of very long items has fewer of them.
 */
export async function cursorPage<Item extends { id: string }>(
  request: PageRequest,
  { columns, strip, ...list }: CursorList & { columns: Columns; strip: Strip<Item> },
): Promise<Page<Item>> {
  const { limit, fields } = request.query
  const { orgId } = request.caller
  const { order } = list
  const read = sql`${columns.of(atLeast(fields, 'id'))}${withDetaching(orgId)}`
  const rows = await request.db.rows<Item & Place>(pageStatement(request, list, read))
  const places = rows.map(({ id, sort_run, sort_key }) => ({ id, run: sort_run, key: sort_key }))
  const items = rows.map(({ sort_run, sort_key, ...item }) => item as unknown as Item)
  const count = Math.min(limit, countWithinPageBytes(items))
  const data = items.slice(0, count).map((item) => stripRow(item, strip))
  return { data, pagination: paginationOf(request, order, places[count - 1], places[count], places[0]) }
}

interface PrerenderedList<Item> extends CursorList {
  /** the column with the stored JSON text of a row */
  prerendered: Sql
  columns: Columns
  /** removes ids that are being detached from an item */
  strip: Strip<Item>
  /** adds the requested `include` parts to the texts of a page */
  include?: ((texts: readonly string[]) => Promise<string[]>) | undefined
}

/**
 * The same page for rows that store their JSON text, which the client gets unchanged. If the request selects fields, the text
 * is not read.
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
  const by = inOrder(order, table)
  const place = sql`json_build_array(${table}.sort_run, ${table}.sort_key, ${table}.id)`
  const all = sql`string_agg(${table}.shown, ',' order by ${by})`
  const isShort = sql`sum(octet_length(${table}.shown)) < ${maxPageBytes}`
  const joined = async (rows: Sql, shown: Sql) =>
    expected(
      await request.db.row<JoinedItems>(sql`
        select count(*)::int as count, ${shown} as all, json_agg(${place} order by ${by}) as places${withDetaching(orgId)}
        from (${rows}) ${table}`),
      'A count',
    )
  const read = async (rows: Sql) => {
    const whole = await joined(rows, sql`case when ${isShort} then ${all} end`)
    const { count } = whole
    if (count === 0 || whole.all !== null) return { ...whole, more: count > limit }
    const first = await joined(rowsWithinPageBytes(rows, table, by), all)
    return { ...first, more: first.count > 1 }
  }
  const {
    more,
    detaching,
    all: text,
    places,
  } = await read(pageStatement(request, list, sql`${table}.id, ${prerendered} as shown`))
  const shown = more ? withoutLastItem(text ?? '') : (text ?? '')
  const [first, last, next] = [places?.[0], places?.at(-2), places?.at(-1)].map((at) => at && placeOf(at))
  const pagination = paginationOf(request, order, last, more ? next : undefined, first)
  const data = detaching === null ? shown : stripItems(shown, strip, detaching)
  return textOf(include ? await include(splitItems(data)) : [data], pagination)
}

const textOf = <Item>(items: readonly string[], pagination: Page<Item>['pagination']): Prerendered<Page<Item>> =>
  new Prerendered(`{"data":[${items.join()}],"pagination":${JSON.stringify(pagination)}}`)

interface JoinedItems {
  count: number
  /** the texts, joined by commas */
  all: string | null
  detaching: string[] | null
  places: [run: number, key: number, id: string][] | null
}

const placeOf = ([run, key, id]: [run: number, key: number, id: string]): RowPlace => ({ run, key, id })

/**
 * The cursor of the next page, and the start time of a ranking that covers only the newest rows.
 * @param next the row after the last row of the page
 */
function paginationOf(
  { cursors, caller }: PageRequest,
  order: Order,
  last: RowPlace | undefined,
  next: RowPlace | undefined,
  first: RowPlace | undefined,
): Page<unknown>['pagination'] {
  const nextCursor = last && next ? nextCursorOf(cursors, caller.orgId, order, last, next) : null
  const rankedSince = first && order.rankedSince?.(first.key)
  return { nextCursor, ...(rankedSince === undefined ? {} : { rankedSince }) }
}

/**
 * The cursor of the page that begins after a row.
 * @param next the row after it
 */
export const nextCursorOf = (cursors: Cursors, orgId: string, order: Order, last: RowPlace, next: RowPlace): string =>
  cursors.sealBits(orgId, order.name, order.packing.pack(last, next))
