import { z } from 'zod'
import { notFound } from '../contract/errors.ts'
import { Id, wholeNumber } from '../contract/fields.ts'
import type { Columns, Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

const limit = wholeNumber(1, 100).default(50).meta({
  description: 'The maximum number of items to return. Default: 50.',
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 50,
})

/** The parameters of an offset list. @see docs/contract.md §8.3 */
export const offsetQuery = {
  limit,
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({ description: 'The number of items to skip. Default: 0.', type: 'integer', minimum: 0, default: 0 }),
}

/** The parameters of a cursor list. @see docs/contract.md §8.4 */
export const cursorQuery = {
  limit,
  cursor: Id.optional().meta({
    description: 'The `nextCursor` of the previous page. It is opaque: do not change it.',
    format: 'uuid',
  }),
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

/** @param more additional fields of `pagination` */
export const cursorPageOf = <Item extends z.ZodType, More extends z.ZodRawShape>(item: Item, more = {} as More) =>
  z.strictObject({ data: z.array(item).max(100), pagination: z.strictObject({ nextCursor: Id.nullable(), ...more }) })

interface OffsetList {
  /** tables, and the condition that selects the rows that the caller sees and the filters match */
  from: Sql
  /** a total order: it ends in an id */
  order: Sql
  /** a condition without which the list does not exist for the caller: 404 */
  within?: Sql
}

interface OffsetQuery {
  limit: number
  offset: number
  fields?: Fields
}

/** A page and the count of all matching rows, from one statement; the count is there even for a page past the end. */
export async function offsetPage<Item>(
  db: Db,
  { columns, from, order, within = sql`true` }: OffsetList & { columns: Columns },
  { limit, offset, fields }: OffsetQuery,
): Promise<{ data: Item[]; total: number }> {
  const rows = await db.rows<{ visible: boolean; total: number; ordinal: number | null }>(sql`
    select list.*, page.*
    from (select ${within} as visible, (select count(*)::int from ${from}) as total) list
    left join (
      select ${columns.of(fields)}, row_number() over (order by ${order}) as ordinal from ${from}
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
