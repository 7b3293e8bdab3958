import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { Lookup } from '../access/loader.ts'
import type { Db } from '../db/db.ts'
import type { IncludeContext, IncludedPart } from './include.ts'

/** Finds the resources among these ids that the caller sees. */
type FindByIds<Named> = (db: Db, caller: Caller, ids: readonly string[]) => Promise<readonly Named[]>

/** Finds them with a loader. */
export const visibleByIds =
  <Named>({
    load,
  }: {
    load: (db: Db, caller: Caller, wanted: Lookup) => Promise<{ item: Named }[]>
  }): FindByIds<Named> =>
  async (db, caller, ids) =>
    (await load(db, caller, { ids, lock: 'none' })).map(({ item }) => item)

/** The resource that a field names; null if it names none, or none that the caller sees. */
export const named = <Item, Named extends { id: string }>(
  schema: z.ZodType<Named>,
  field: keyof Item & string,
  find: FindByIds<Named>,
): IncludedPart<Item> => ({
  schema: schema.nullable(),
  needs: [field],
  async read({ db, caller }, items) {
    const texts = await textsById(
      find,
      db,
      caller,
      items.flatMap((item) => (item[field] as string | null) ?? []),
    )
    return (item) => ({ json: texts.get(item[field] as string) ?? 'null' })
  },
})

/** The resources that a field of ids names, in their order, without those that the caller does not see. */
export const itemsByIds = <Item, Named extends { id: string }>(
  schema: z.ZodType<Named>,
  most: number,
  field: keyof Item & string,
  find: FindByIds<Named>,
): IncludedPart<Item> => ({
  schema: z.array(schema).max(most),
  needs: [field],
  async read({ db, caller }, items) {
    const idsOf = (item: Item) => item[field] as string[]
    const texts = await textsById(find, db, caller, items.flatMap(idsOf))
    return (item) => ({ json: `[${idsOf(item).flatMap((id) => texts.get(id) ?? [])}]` })
  },
})

/** One value of each item, such as a count. */
export const valuePerItem = <Item extends { id: string }, Value>(
  schema: z.ZodType<Value>,
  none: Value,
  read: (asking: IncludeContext, ids: string[]) => Promise<ReadonlyMap<string, Value>>,
): IncludedPart<Item> => ({
  schema,
  needs: [],
  async read(asking, items) {
    const values = await read(asking, idsOf(items))
    return ({ id }) => ({ json: JSON.stringify(values.get(id) ?? none) })
  },
})

/** A part with many things per item. */
interface ManyPart<One> {
  schema: z.ZodType<One>
  /** the most things on a page, shared evenly by its items; at least as many as a page has items */
  onPage: number
  /** the most things of one item */
  ofOne?: number
  /** the order, which decides the first ones */
  order: string
  /** where to find the rest */
  rest: string
  /** finds the first things of each of these items */
  find: (asking: IncludeContext, ids: string[], ofEach: number) => Promise<readonly { of: string; one: One }[]>
}

/** The first of many things of each item. */
export const firstOf = <Item extends { id: string }, One>(many: ManyPart<One>): IncludedPart<Item> => {
  const { schema, onPage, ofOne = onPage, order, rest, find } = many
  return {
    schema: z.array(schema).max(ofOne),
    needs: [],
    bound: { which: boundOf(order, ofOne, onPage), rest },
    async read(asking, items) {
      const share = sharePerItem(ofOne, onPage, items.length)
      const byItem = new Map<string, One[]>(items.map(({ id }) => [id, []]))
      for (const { of, one } of await find(asking, idsOf(items), share + 1)) byItem.get(of)?.push(one)
      return ({ id }) => {
        const all = byItem.get(id) ?? []
        return { json: JSON.stringify(all.slice(0, share)), isCut: all.length > share }
      }
    },
  }
}

/** The most things of one item on a page with this many items. */
export const sharePerItem = (ofOne: number, onPage: number, items: number) =>
  Math.min(ofOne, Math.floor(onPage / items))

/** The sentence that documents these limits. */
export const boundOf = (order: string, ofOne: number, onPage: number) =>
  `${order}: up to ${ofOne} per item. A page has at most ${onPage} in total, shared evenly among its items.`

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id)

/** The JSON of each resource by id, rendered once for all items that name it. */
async function textsById<Named extends { id: string }>(
  find: FindByIds<Named>,
  db: Db,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await find(db, caller, [...new Set(ids)])
  return new Map(found.map((one) => [one.id, JSON.stringify(one)]))
}
