import { z } from 'zod'
import { foundBy, words } from '../contract/fields.ts'
import { Prerendered } from '../contract/prerendered.ts'
import type { Fields } from '../db/columns.ts'

/**
 * `fields=id,name` on a GET: the server neither reads nor sends other fields.
 *
 * A route does not declare this parameter. Every GET has it if `returns` is a resource (with a version) or a list of them.
 * The handler finds the fields to read in `query.fields`. Lists read only these columns (`columns.of(fields)`), and so does
 * the loader of the path's resource (`Lookup.fields`). So a target or an item may lack other fields, although its type has
 * them. A handler that needs more fields reads more: `{ ...query, fields: atLeast(query.fields, 'assigneeIds') }`. The response
 * omits these again, as it goes through `select`.
 *
 * An optional field of the schema is there on another request, such as `include`. It is not a value of `fields`, and is sent
 * with any selection. The fields by which it is found (`foundBy`) are read too.
 */
export interface Selectable {
  item: z.ZodObject
  /** whether the response is a list of such items */
  inList: boolean
  /** set if the items are deeper in the response: then the handler itself returns exactly the requested fields */
  deeper?: NestedItems | undefined
  parameter: ReturnType<typeof fieldsOf>
}

/** The declaration of a route with items deeper in its response than in a list. */
export interface NestedItems {
  item: z.ZodObject
  /** the fields of an item without the parameter */
  unasked: readonly string[]
  /** the schema of the response with this schema for its items */
  withItems(item: z.ZodType): z.ZodType
}

/** The part of a response that `fields` can select from, by its schema. */
export function selectableIn(returns: z.ZodType | undefined, deeper?: NestedItems): Selectable | undefined {
  if (deeper) return { item: deeper.item, inList: false, deeper, parameter: fieldsOf(deeper.item, deeper.unasked) }
  if (!(returns instanceof z.ZodObject)) return undefined
  const { data } = returns.shape
  const inList = data instanceof z.ZodArray
  const item: unknown = inList ? data.element : returns
  if (!(item instanceof z.ZodObject) || !('version' in item.shape)) return undefined
  return { item, inList, parameter: fieldsOf(item) }
}

/** The query parameter that selects fields of an item. */
function fieldsOf({ shape }: z.ZodObject, unasked: readonly string[] = []) {
  const known = Object.keys(shape).filter((name) => !isAdded(shape[name]))
  return words(known, known.length)
    .optional()
    .meta({
      description:
        `${onlyThese}. The other fields are missing, even if the schema says that they are required. ` +
        `Any of ${known.join(', ')}, separated by commas.` +
        (unasked.length > 0 ? ` Default: ${unasked.join(', ')}.` : ''),
    })
}

const onlyThese = 'Returns only these fields'

/** A query with the parameter `fields`. */
export function withFields(query: z.ZodType, { parameter }: Selectable): z.ZodType {
  if (!(query instanceof z.ZodObject)) return query
  const { description = '' } = parameter.meta() ?? {}
  const withIncluded = description.replace(onlyThese, `${onlyThese}, and the fields that \`include\` adds`)
  return query.safeExtend({
    fields: 'include' in query.shape ? parameter.meta({ description: withIncluded }) : parameter,
  })
}

/** The fields of an unvalidated query; undefined: all, also if validation will refuse the query. */
export function fieldsIn({ parameter }: Selectable, query: unknown): Fields {
  const { fields } = query as { fields?: unknown }
  return fields === undefined ? undefined : parameter.safeParse(fields).data
}

/** The fields to read: the requested ones, and those by which the requested parts of `include` are found. */
export function fieldsToRead(selectable: Selectable, query: unknown): Fields {
  const fields = fieldsIn(selectable, query)
  const { include } = query as { include?: unknown }
  if (fields === undefined || selectable.deeper || typeof include !== 'string') return fields
  const asked = include.split(',')
  const added = Object.entries(selectable.item.shape).filter(([name]) => asked.includes(name))
  return [...fields, 'id', ...added.flatMap(([, part]) => foundBy.get(part)?.fields ?? [])]
}

/** A response with only these fields of its items, in the order of the schema. */
export function select(selectable: Selectable, fields: readonly string[], answer: unknown): unknown {
  const { item, inList, deeper } = selectable
  if (deeper) return answer
  const { shape } = item
  const whole = answer instanceof Prerendered ? answer.item : answer
  const names = Object.keys(shape).filter((name) => fields.includes(name) || isAdded(shape[name]))
  const shown = (item: Json) => {
    // the item has exactly the requested fields
    if (Object.keys(item).length === fields.length) return item
    const left: Json = {}
    for (const name of names) if (item[name] !== undefined) left[name] = item[name]
    return left
  }
  if (!inList) return shown(whole as Json)
  const { data, ...rest } = whole as { data: Json[] }
  return { data: data.map(shown), ...rest }
}

/** The schema of a response with only these fields. */
export function schemaOfSelected(
  { item, inList, deeper }: Selectable,
  fields: readonly string[],
  returns: z.ZodType,
): z.ZodType {
  const names = Object.keys(item.shape).filter((name) => fields.includes(name) || isAdded(item.shape[name]))
  const selected = z.strictObject(Object.fromEntries(names.map((name) => [name, item.shape[name] ?? z.never()])))
  if (deeper) return deeper.withItems(selected)
  return inList && returns instanceof z.ZodObject ? returns.extend({ data: z.array(selected) }) : selected
}

type Json = Record<string, unknown>

const isAdded = (field: unknown) => field instanceof z.ZodOptional
