import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Cursors, List, Position } from './cursor.ts'
import { notFound } from './errors.ts'
import { Id, wholeNumber } from './fields.ts'
import type { Caller } from './route.ts'

const limit = wholeNumber(1, 100)
  .default(50)
  .meta({ description: 'How many items at most; default 50.', type: 'integer', minimum: 1, maximum: 100, default: 50 })

/** The parameters of an offset list. @see contract §8.1 */
export const offsetQuery = {
  limit,
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({ description: 'How many items to skip; default 0.', type: 'integer', minimum: 0, default: 0 }),
}

/** The parameters of a cursor list. @see contract §8.1 */
export const cursorQuery = {
  limit,
  cursor: Id.optional().meta({ description: 'nextCursor of the page before; opaque.', format: 'uuid' }),
}

export const offsetPageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    data: z.array(item).max(100),
    total: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .meta({ examples: [1] }),
  })

export const cursorPageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ data: z.array(item).max(100), pagination: z.strictObject({ nextCursor: Id.nullable() }) })

interface OffsetList {
  columns: Sql
  /** tables and the condition that selects what the caller sees and the filters match */
  from: Sql
  /** total: ends in an id */
  order: Sql
  /** a condition without which the list itself does not exist for the caller: 404 */
  within?: Sql
}

/** A page and the count of all that the filters match, from one statement; the count survives a page past the end. */
export async function offsetPage<Item>(
  db: Db,
  { columns, from, order, within = sql`true` }: OffsetList,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: Item[]; total: number }> {
  const rows = await db.rows<{ visible: boolean; total: number; ordinal: number | null }>(sql`
    select list.*, page.* from (select ${within} as visible, (select count(*)::int from ${from}) as total) list
    left join (
      select ${columns}, row_number() over (order by ${order}) as ordinal from ${from}
      order by ${order} limit ${limit} offset ${offset}
    ) page on list.visible
    order by ordinal`)
  const [first] = rows
  if (!first?.visible) throw notFound()
  const data = rows
    .filter(({ ordinal }) => ordinal !== null)
    .map(({ visible, total, ordinal, ...item }) => item as Item)
  return { data, total: first.total }
}

interface CursorList<Item> {
  list: List
  columns: Sql
  /** tables and the condition that selects what the caller sees and the filters match */
  from: Sql
  /** the rows behind a position, by row comparison, so that the index finds them */
  after: (position: Position) => Sql
  order: Sql
  /** the sort key of a row in ms, where the list has one besides the id */
  sortMs?: (item: Item) => number
}

/**
 * A page in a stable order. A row that stays visible and unmoved while somebody pages is returned exactly once, one that
 * is inserted or deleted meanwhile at most once.
 */
export async function cursorPage<Item extends { id: string }>(
  { db, caller, cursors, query }: { db: Db; caller: Caller; cursors: Cursors; query: CursorParameters },
  { list, columns, from, after, order, sortMs }: CursorList<Item>,
): Promise<{ data: Item[]; pagination: { nextCursor: string | null } }> {
  const position = query.cursor === undefined ? undefined : cursors.open(caller.orgId, list, query.cursor)
  // one more than asked for tells whether a further row exists
  const rows = await db.rows<Item>(sql`
    select ${columns} from ${from} ${position ? sql`and ${after(position)}` : sql.empty}
    order by ${order} limit ${query.limit + 1}`)
  const data = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? data.at(-1) : undefined
  const nextCursor = last
    ? cursors.seal(caller.orgId, list, { id: last.id, ...(sortMs ? { sortMs: sortMs(last) } : {}) })
    : null
  return { data, pagination: { nextCursor } }
}

interface CursorParameters {
  limit: number
  cursor?: string | undefined
}
