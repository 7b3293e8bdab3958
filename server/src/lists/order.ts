/**
 * The orders of a list by cursor. A list declares them once:
 *
 *     const orders = ordersOf('subtasks', sql`subtasks`, {
 *       by: { createdAt: momentOfId, finalizedAt: moment(sql`subtasks.finalized_at`, { empty: true }) },
 *       unsorted: '-createdAt',
 *       refused: { name: namesDoNotFit },
 *     })
 *
 * Then `query: z.strictObject({ ...cursorQuery, sort: sortOf(orders) })`, and `order: orders.of(query.sort)` for `cursorPage` or
 * `prerenderedPage`. Each key has an index `(org_id, key, id) where deleted_at is null`, read in both directions. For other
 * cursors of an order use `nextCursorOf` in cursor-page.ts.
 */
import { z } from 'zod'
import { invalid } from '../contract/errors.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { IdKey, OrderKey } from './order-keys.ts'
import { type Bound, type Packing, packedByKey } from './packing.ts'

/** An order by a key and, at the same key, by the id, both in one direction. */
export interface Order {
  /** the list and its order: its cursors open in no other order */
  name: string
  descending: boolean
  /** whether an index has the rows of each project in this order */
  byProject: boolean
  packing: Packing
  /** by the key of a row, the creation time since which rows are ranked; undefined if all rows are */
  rankedSince?: (key: number) => string | undefined
  /** query of `columns`, `sort_run` and `sort_key`: the first of some rows, in order */
  walk: (rows: WalkedRows, from?: Bound) => Sql
}

/** Some rows of a list. */
export interface WalkedRows {
  columns: Sql
  /** the rows to choose from, under the name of the table; default: all of it */
  source?: Sql
  /** condition: the rows to return */
  matching: Sql
  limit: number
}

/** The message for a sort key that every edit changes and that hardly anybody would use. */
export const notKeptInOrder = 'Sorting by this field is not supported, because it would slow down every update'

/** The message for a sort by a name. */
export const namesDoNotFit = 'Sorting by name is not supported, because a cursor has no room for a name'

interface OrderDeclaration<Name extends string> {
  by: { readonly [name in Name]: OrderKey | IdKey }
  /** the order without `sort`: its cursors have only the list in their name */
  unsorted: NoInfer<Name> | `-${NoInfer<Name>}`
  /** other names, whose order depends on the filters */
  further?: readonly string[]
  /** names that clients might try, and why they are refused */
  refused?: { readonly [name: string]: string }
  /** sentences for the documentation about special cases */
  says?: string
}

interface Orders {
  names: readonly string[]
  unsorted: string
  refused: { readonly [name: string]: string }
  says: string
  /** @param sort a name, with `-` before it for descending; none of `further` */
  of: (sort: string | undefined) => Order
}

const mayBeEmpty = (key: OrderKey | IdKey) => 'column' in key && key.empty
const lastOfAll = 'Items without a value come last in both directions.'

/** Declares the orders of a list. */
export function ordersOf<Name extends string>(
  list: string,
  table: Sql,
  { by, unsorted, further = [], refused = {}, says = '' }: OrderDeclaration<Name>,
): Orders {
  const made = new Map<string, Order>()
  for (const [name, key] of Object.entries<OrderKey | IdKey>(by)) {
    for (const sort of [name, `-${name}`]) {
      const isDefault = sort === unsorted
      const how = { name: isDefault ? list : `${list} ${sort}`, descending: sort !== name, isDefault }
      const order = 'column' in key ? byKey(table, key, how) : byId(table, key, how)
      made.set(sort, isDefault ? order : plannedForValues(order))
    }
  }
  return {
    names: [...Object.keys(by), ...further],
    unsorted,
    refused,
    says: [Object.values<OrderKey | IdKey>(by).some(mayBeEmpty) ? lastOfAll : '', says].filter(Boolean).join(' '),
    of(sort = unsorted) {
      const order = made.get(sort)
      if (order === undefined) throw new Error(`No order: ${sort}`)
      return order
    },
  }
}

/** The query parameter that chooses one of the orders. @throws 422 for any other name, with the reason */
export function sortOf({ names, unsorted, refused, says }: Orders) {
  const sorts = names.flatMap((name) => [name, `-${name}`])
  const known = `${names.join(', ')}; put - before it for descending order`
  const reasons = new Map(Object.entries(refused))
  const sentence = (sort: unknown) => {
    const reason = reasons.get(String(sort).replace(/^-/, ''))
    return `Must be one of ${known}${reason ? `. ${reason}` : ''}`
  }
  return z
    .string('Must be sent only once')
    .refine((sort) => sorts.includes(sort), { error: ({ input }) => sentence(input) })
    .optional()
    .meta({
      description:
        `One of ${names.join(', ')}. Put \`-\` before it for descending order. Default: ${unsorted}.${says && ` ${says}`} ` +
        'A cursor keeps the order that it was created with.',
      enum: sorts,
    })
}

/** @throws 422 for a sort that these filters do not allow */
export const refusedSort = (sentence: string) => invalid({ sort: [sentence] })

interface SortOptions {
  name: string
  descending: boolean
  isDefault: boolean
}

function byKey(table: Sql, key: OrderKey, { name, descending }: SortOptions): Order {
  const { column, number, valueAt, most, empty, apart } = key
  const direction = directionOf(descending)
  const id = sql`${table}.id`
  const byBoth = sql`${column} ${direction}, ${id} ${direction}`
  const run = (place: Sql, by: Sql, { columns, source = table, limit }: WalkedRows, condition: Sql) => sql`
    select ${columns}, ${place} from ${source} where ${condition} order by ${by} limit ${limit}`
  const valued = (rows: WalkedRows, from: Bound | undefined) => {
    const behind = from && beyond(descending, sql`(${column}, ${id})`, sql`(${valueAt(from.key)}, ${from.idBound})`)
    const condition = sql.all(rows.matching, empty && sql`${column} is not null`, behind)
    return run(sql`0 as sort_run, ${number} as sort_key`, byBoth, rows, condition)
  }
  const valueless = (rows: WalkedRows, from: Bound | undefined) => {
    const behind = from && beyond(descending, id, sql`${from.idBound}`)
    const condition = sql.all(rows.matching, sql`${column} is null`, behind)
    return run(sql`1 as sort_run, 0 as sort_key`, apart ? sql`${id} ${direction}` : byBoth, rows, condition)
  }
  return {
    name,
    descending,
    byProject: key.byProject,
    packing: packedByKey({ most, empty, descending }),
    walk(rows, from) {
      if (!empty) return valued(rows, from)
      if (from?.run === 1) return valueless(rows, from)
      // PostgreSQL does not run the second part if the first returns enough rows
      return sql`select * from ((${valued(rows, from)}) union all (${valueless(rows, undefined)})) runs limit ${rows.limit}`
    },
  }
}

function byId(table: Sql, { byProject }: IdKey, { name, descending, isDefault }: SortOptions): Order {
  const id = sql`${table}.id`
  const packing = packedByKey({ most: 1, empty: false, descending })
  return {
    name,
    descending,
    byProject,
    // cursors of the default order contain the place of the last row: released cursors must stay valid
    packing: isDefault ? { ...packing, pack: (last) => packing.pack(last) } : packing,
    walk: ({ columns, source = table, matching, limit }, from) => sql`
      select ${columns}, 0 as sort_run, 0 as sort_key from ${source}
      where ${sql.all(matching, from && beyond(descending, id, sql`${from.idBound}`))}
      order by ${id} ${directionOf(descending)} limit ${limit}`,
  }
}

/**
 * With a generic plan, PostgreSQL expected an organization of average size and sorted 500,000 tasks by priority: 0.8 s, with a
 * custom plan 1 ms.
 */
const plannedForValues = (order: Order): Order => ({
  ...order,
  walk: (rows, from) => sql.customPlan(order.walk(rows, from)),
})

/** SQL: the direction. */
export const directionOf = (descending: boolean): Sql => (descending ? sql`desc` : sql`asc`)

const beyond = (descending: boolean, row: Sql, bound: Sql): Sql =>
  descending ? sql`${row} < ${bound}` : sql`${row} >= ${bound}`

/** SQL: the sort expressions for the rows of a walk. */
export const inOrder = ({ descending }: Order, rows: Sql): Sql =>
  sql`${rows}.sort_run, ${rows}.sort_key ${directionOf(descending)}, ${rows}.id ${directionOf(descending)}`
