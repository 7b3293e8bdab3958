import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import { foundBy, words } from '../contract/fields.ts'
import { Prerendered } from '../contract/prerendered.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { idOfItem } from './joined-items.ts'

/** The caller, the database and the time of a request. */
export interface IncludeContext {
  db: Db
  caller: Caller
  now: string
}

/** A part that a request can include beside each item, by name. */
export interface IncludedPart<Item> {
  schema: z.ZodType
  /** the fields of an item, besides its id, by which the part is found */
  needs: readonly (keyof Item & string)[]
  /** which ones are included if there may be more, and where the rest is; `moreSubtasks` says that there are more */
  bound?: { which: string; rest: string }
  /** Reads the part for all items in one statement, limited to what the caller sees. */
  read(asking: IncludeContext, items: readonly Item[]): Promise<(item: Item) => SentPart>
}

/** A part of an item, as it is sent. */
interface SentPart {
  json: string
  /** whether there is more than this */
  isCut?: boolean
}

/** A request for an item or a page with included parts. */
interface IncludeRequest extends IncludeContext {
  query: { include?: readonly string[] | undefined }
}

/** The parts that lists and single reads of a resource can include. */
interface Includable<Item> {
  /** the parameter of lists */
  include: z.ZodType<readonly string[] | undefined>
  /** the parameter of single reads */
  includeInItem: z.ZodType<readonly string[] | undefined>
  /** the schema of an item with included parts */
  Full: z.ZodType<Item>
  /** The item with the requested parts. */
  inItem(asked: IncludeRequest, item: Item): Promise<Item | Prerendered<Item>>
  /** The page with the requested parts beside each item. */
  inPage<Page extends { data: Item[] }>(asked: IncludeRequest, page: Page): Promise<Page | Prerendered<Page>>
  /** Adds the requested parts to items that are JSON texts; undefined if the request includes nothing. */
  inTexts(asked: IncludeRequest): ((texts: readonly string[]) => Promise<string[]>) | undefined
}

/**
 * Declares the parts that a request can include beside an item. Each part is one statement for any number of items.
 * @param noun `A task`
 * @param parts by name, in the order in which they are sent
 */
export function includable<Item extends { id: string }>(
  schema: z.ZodObject & z.ZodType<Item>,
  noun: string,
  parts: Record<string, IncludedPart<Item>>,
): Includable<Item> {
  const names = Object.keys(parts)
  const kind = noun.replace(/^An? /, '')
  const parameter = (item: string, effect = '') => {
    const added = names.length > 1 ? 'related data' : `\`${names.join()}\``
    const choice = names.length > 1 ? ` Any of ${names.join(', ')}, separated by commas.` : ''
    return words(names, names.length)
      .optional()
      .meta({ description: `Adds ${added} to ${item}.${choice}${effect}` })
  }
  const Full = schema
    .extend(Object.assign({}, ...Object.entries(parts).map(([name, part]) => fieldsOf(name, part))))
    .meta({ id: `Full${schema.meta()?.id}`, description: `${noun}, with the data that \`include\` names.` })
  const read = async (asking: IncludeContext, wanted: readonly string[], items: readonly Item[]) => {
    const asked = Object.entries(parts).filter(([name]) => wanted.includes(name) && items.length > 0)
    const shown = await Promise.all(asked.map(([, part]) => part.read(asking, items)))
    return (item: Item) => asked.map(([name], i) => fragment(name, shown[i]?.(item))).join('')
  }
  const addTo = async (asked: IncludeRequest, items: readonly Item[]) => {
    const added = await read(asked, asked.query.include ?? [], items)
    return items.map((item) => within(JSON.stringify(item), added(item)))
  }
  return {
    include: parameter(`each ${kind}`),
    includeInItem: parameter(`the ${kind}`, ' The response then has no ETag.'),
    Full: Full as unknown as z.ZodType<Item>,
    async inItem(asked, item) {
      if (asked.query.include === undefined) return item
      const [full] = await addTo(asked, [item])
      return new Prerendered(expected(full, 'What was included'))
    },
    async inPage(asked, page) {
      if (asked.query.include === undefined) return page
      const { data, ...rest } = page
      const full = await addTo(asked, data)
      return new Prerendered(`{"data":[${full.join()}],${JSON.stringify(rest).slice(1)}`)
    },
    inTexts(asked) {
      const { include } = asked.query
      if (include === undefined) return undefined
      // texts may be long: parse them only if their references are needed
      const refers = include.some((name) => parts[name]?.needs.length !== 0)
      return async (texts) => {
        const items = texts.map((text) => (refers ? JSON.parse(text) : { id: idOfItem(text) }) as Item)
        const added = await read(asked, include, items)
        return texts.map((text, i) => within(text, added(expected(items[i], 'An item'))))
      }
    },
  }
}

const moreOf = (name: string) => `more${name.charAt(0).toUpperCase()}${name.slice(1)}`

function fieldsOf<Item>(name: string, { schema, needs, bound }: IncludedPart<Item>): Record<string, z.ZodType> {
  const found = { fields: needs }
  if (bound === undefined) return { [name]: schema.optional().register(foundBy, found) }
  return {
    [name]: schema.optional().meta({ description: bound.which }).register(foundBy, found),
    [moreOf(name)]: z.literal(true).optional().meta({ description: bound.rest }),
  }
}

const fragment = (name: string, { json, isCut }: SentPart = { json: 'null' }) =>
  `,"${name}":${json}${isCut ? `,"${moreOf(name)}":true` : ''}`

const within = (text: string, added: string) => `${text.slice(0, -1)}${added}}`
