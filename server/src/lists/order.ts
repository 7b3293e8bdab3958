/**
 * The orders that a list by cursor can be read in. A list declares them once:
 *
 *     const orders = ordersOf('subtasks', sql`subtasks`, {
 *       by: { createdAt: momentOfId, finalizedAt: moment(sql`subtasks.finalized_at`, { empty: true }) },
 *       unsorted: '-createdAt',
 *       fixed: newestFirst('subtasks', sql`subtasks`),
 *       refused: { name: namesDoNotFit },
 *     })
 *
 * Then `query: z.strictObject({ ...cursorQuery, sort: sortOf(orders) })`, and `order: orders.of(query.sort)` for `cursorPage` or
 * `prerenderedPage`. Each key has an index `(org_id, key, id) include (project_id) where deleted_at is null`, read in both
 * directions. What else needs cursors of an order: `nextCursorOf` in cursor-page.ts.
 */
import { z } from 'zod'
import { invalid } from '../contract/errors.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { List, Position } from './cursor.ts'
import { momentOfId, type OrderKey } from './order-keys.ts'
import { type Bound, type Packing, packedByKey } from './packing.ts'

/** An order that a list can be read in. */
export type Order = FixedOrder | SortedOrder

/** An order of which clients keep cursors, so what these look like never changes. */
export interface FixedOrder {
  list: List
  /** the columns that the order is made of, the id among them */
  keys: Sql
  by: Sql
  /** the rows behind a position, by row comparison, so that the index finds them */
  after: (position: Position) => Sql
  /** the field that holds the moment which rows are ordered by, where it is not the id alone */
  moment?: string
}

/** Rows whose `createdAt` is the time in the id: ids alone are in the order (createdAt, id). */
export const newestFirst = (list: List, table: Sql): FixedOrder => ({
  list,
  keys: sql`${table}.id`,
  after: ({ idBound }) => sql`${table}.id < ${idBound}`,
  by: sql`${table}.id desc`,
})

/** An order by a key and, at the same key, by the id, both in one direction. */
export interface SortedOrder {
  /** the list and how it is sorted: its cursors open in no other order */
  name: string
  descending: boolean
  /** whether an index has the rows of each project in this order */
  byProject: boolean
  packing: Packing
  /** where only the newest rows were put in order, the moment since which those were created; by the key of one of them */
  rankedSince?: (key: number) => string | undefined
  /** query of `id`, `project_id`, `run` and `key`: the first of some rows, in order */
  walk: (rows: Rows, from?: Bound) => Sql
}

/** Whether an order is one by `sort`, and not a fixed one. */
export const isSorted = (order: Order): order is SortedOrder => 'walk' in order

/** Some rows of a list. */
interface Rows {
  /** the rows to choose from, under the name of the table, where these are not all of it */
  source?: Sql | undefined
  /** condition: which */
  matching: Sql
  /** those with a value (0) or those without (1), where a filter leaves no others */
  run?: 0 | 1
  /** how many at most: a number in the text of the statement, by which the planner knows that few are read */
  limit: Sql
}

/** What somebody is told who sorts by what each edit changes, where hardly anybody would. */
export const notKeptInOrder = 'They are not kept in that order: each edit would cost more'

/** What somebody is told who sorts by a name. */
export const namesDoNotFit =
  'Names do not fit: a cursor is a UUID that holds the place of a row, which has room for moments, days and ranks'

interface Declared<Name extends string> {
  by: { readonly [name in Name]: OrderKey | typeof momentOfId }
  /** the order without `sort` */
  unsorted: NoInfer<Name> | `-${NoInfer<Name>}`
  /** that order, where clients hold cursors of it */
  fixed?: FixedOrder
  /** further names, with an order that depends on the filters */
  further?: readonly string[]
  /** names that one might ask for, and why they are refused */
  refused?: { readonly [name: string]: string }
  /** sentences on what is special in them, for the documentation */
  says?: string
}

/** The orders of a list. */
interface Orders {
  names: readonly string[]
  unsorted: string
  refused: { readonly [name: string]: string }
  /** sentences on what is special in them */
  says: string
  /** @param sort as it was asked for, with `-` before it for descending; none of `further` */
  of: (sort: string | undefined) => Order
}

const mayBeEmpty = (key: OrderKey | typeof momentOfId) => key !== momentOfId && key.empty
const lastOfAll = 'What has no value comes last in both directions.'

/** Declares the orders of a list. */
export function ordersOf<Name extends string>(
  list: string,
  table: Sql,
  { by, unsorted, fixed, further = [], refused = {}, says = '' }: Declared<Name>,
): Orders {
  const made = new Map<string, Order>()
  for (const [name, key] of Object.entries<OrderKey | typeof momentOfId>(by)) {
    for (const sort of [name, `-${name}`]) {
      const how = { name: `${list} ${sort}`, descending: sort !== name }
      made.set(sort, key === momentOfId ? byId(table, how) : byKey(table, key, how))
    }
  }
  if (fixed) made.set(unsorted, fixed)
  return {
    names: [...Object.keys(by), ...further],
    unsorted,
    refused,
    says: [Object.values<OrderKey | typeof momentOfId>(by).some(mayBeEmpty) ? lastOfAll : '', says]
      .filter(Boolean)
      .join(' '),
    of(sort = unsorted) {
      const order = made.get(sort)
      if (order === undefined) throw new Error(`No order: ${sort}`)
      return order
    },
  }
}

/** The query parameter that chooses one of the orders. @throws 422 for any other name, with a sentence that says why */
export function sortOf({ names, unsorted, refused, says }: Orders) {
  const sorts = names.flatMap((name) => [name, `-${name}`])
  const known = `${names.join(', ')}; - before it for descending`
  const reasons = new Map(Object.entries(refused))
  const sentence = (sort: unknown) => {
    const reason = reasons.get(String(sort).replace(/^-/, ''))
    return `Must be one of ${known}${reason ? `. ${reason}` : ''}`
  }
  return z
    .string('Must be given once')
    .refine((sort) => sorts.includes(sort), { error: ({ input }) => sentence(input) })
    .optional()
    .meta({
      description:
        `One of ${known}. Default: ${unsorted}.${says && ` ${says}`} ` +
        'A cursor goes on in the order that it was given in.',
      enum: sorts,
    })
}

/** @throws 422 for a sort that these filters do not allow */
export const refusedSort = (sentence: string) => invalid({ sort: [sentence] })

interface How {
  name: string
  descending: boolean
}

function byKey(table: Sql, key: OrderKey, { name, descending }: How): SortedOrder {
  const { column, number, valueAt, most, empty, apart } = key
  const direction = directionOf(descending)
  const id = sql`${table}.id`
  const byId = sql`${id} ${direction}`
  const byBoth = sql`${column} ${direction}, ${byId}`
  const run = (place: Sql, by: Sql, { source = table, limit }: Rows, condition: Sql) => sql`
    select ${id}, ${table}.project_id, ${place} from ${source} where ${condition} order by ${by} limit ${limit}`
  const valued = (rows: Rows, from: Bound | undefined) => {
    const behind = from && beyond(descending, sql`(${column}, ${id})`, sql`(${valueAt(from.key)}, ${from.idBound})`)
    const there = empty && sql`${column} is not null`
    return run(sql`0 as run, ${number} as key`, byBoth, rows, sql.all(rows.matching, there, behind))
  }
  const valueless = (rows: Rows, from: Bound | undefined) => {
    const behind = from && beyond(descending, id, sql`${from.idBound}`)
    const condition = sql.all(rows.matching, sql`${column} is null`, behind)
    return run(sql`1 as run, 0 as key`, apart ? byId : byBoth, rows, condition)
  }
  // ascending, the index holds what has no value behind the rest: one walk takes half the time to plan
  const both = (rows: Rows) => {
    const place = sql`case when ${column} is null then 1 else 0 end as run, coalesce(${number}, 0) as key`
    return run(place, byBoth, rows, rows.matching)
  }
  return {
    name,
    descending,
    byProject: key.byProject,
    packing: packedByKey({ most, empty, descending }),
    walk(rows, from) {
      if (!empty) return valued(rows, from)
      if (from?.run === 1)
        return valueless(rows.run === 0 ? { ...rows, matching: sql`${rows.matching} and false` } : rows, from)
      if (rows.run === 0) return valued(rows, from)
      if (rows.run === 1) return valueless(rows, undefined)
      if (from === undefined && !descending && !apart) return both(rows)
      // nobody reads the second as long as the first gives enough
      return sql`select * from ((${valued(rows, from)}) union all (${valueless(rows, undefined)})) runs limit ${rows.limit}`
    },
  }
}

function byId(table: Sql, { name, descending }: How): SortedOrder {
  const id = sql`${table}.id`
  return {
    name,
    descending,
    byProject: true,
    packing: packedByKey({ most: 1, empty: false, descending }),
    walk: ({ source = table, matching, limit }, from) => sql`
      select ${id}, ${table}.project_id, 0 as run, 0 as key from ${source}
      where ${sql.all(matching, from && beyond(descending, id, sql`${from.idBound}`))}
      order by ${id} ${directionOf(descending)} limit ${limit}`,
  }
}

/** The same order where a filter leaves only rows that have a value to be sorted by, or only those that have none. */
export const onlyThose = (order: Order, { withValue }: { withValue: boolean }): Order =>
  isSorted(order) ? { ...order, walk: (rows, from) => order.walk({ ...rows, run: withValue ? 0 : 1 }, from) } : order

/** SQL: the direction. */
export const directionOf = (descending: boolean): Sql => (descending ? sql`desc` : sql`asc`)

const beyond = (descending: boolean, row: Sql, bound: Sql): Sql =>
  descending ? sql`${row} < ${bound}` : sql`${row} >= ${bound}`

/** SQL: what puts rows in order that a walk gave. */
export const inOrder = ({ descending }: SortedOrder, rows: Sql): Sql =>
  sql`${rows}.run, ${rows}.key ${directionOf(descending)}, ${rows}.id ${directionOf(descending)}`
