import { z } from 'zod'
import { foundBy, words } from '../contract/fields.ts'
import { Prerendered } from '../contract/prerendered.ts'
import type { Fields } from '../db/columns.ts'

/**
 * `fields=id,name` on a GET: what is not asked for is neither read nor sent.
 *
 * A route need not say so: every GET takes the parameter that answers a resource (which has a version) or a list of them, as
 * `returns` says. In `query.fields` the handler has what is to be read; the lists that are given the query read only the
 * columns of these (`columns.of(fields)`), and so does the loader of the path's resource (`Lookup.fields`). So the target, and
 * the items of a page, may lack what was not asked for, whatever their type says. Who needs more of them reads more:
 * `{ ...query, fields: atLeast(query.fields, 'assigneeIds') }`. It is not sent: all that leaves goes through `select`.
 *
 * A field that is optional in the schema is there because something else asked for it, such as `include`: it is no word of
 * `fields`, and is sent whatever they are. What it is found by (`foundBy`) is among what is to be read.
 */
export interface Selectable {
  item: z.ZodObject
  /** whether the answer is a list of such items */
  inList: boolean
  /** where the items lie deeper in the answer: there the handler itself answers what is asked for, and nothing more */
  deeper?: Deeper | undefined
  /** the query parameter */
  parameter: ReturnType<typeof fieldsOf>
}

/** What a route says whose answer holds items deeper than a list does. */
export interface Deeper {
  item: z.ZodObject
  /** the fields of an item where none are asked for */
  unasked: readonly string[]
  /** the schema of the answer, with items of this one */
  withItems(item: z.ZodType): z.ZodType
}

/** What of an answer can be selected, by its schema. */
export function selectableIn(returns: z.ZodType | undefined, deeper?: Deeper): Selectable | undefined {
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
        'Only these fields are answered, and what `include` adds: then the answer has not all that its schema requires. ' +
        `Any of ${known.join(', ')}, separated by commas.` +
        (unasked.length > 0 ? ` Default: ${unasked.join(', ')}.` : ''),
    })
}

/** A query that selects fields too. */
export const withFields = (query: z.ZodType, { parameter }: Selectable): z.ZodType =>
  query instanceof z.ZodObject ? query.safeExtend({ fields: parameter }) : query

/** The fields that an unchecked query asks for; undefined: all, also where the query is to be refused. */
export function fieldsIn({ parameter }: Selectable, query: unknown): Fields {
  const { fields } = query as { fields?: unknown }
  return fields === undefined ? undefined : parameter.safeParse(fields).data
}

/** The same, and those by which is found what else is asked for: what is to be read. */
export function fieldsToRead(selectable: Selectable, query: unknown): Fields {
  const fields = fieldsIn(selectable, query)
  const { include } = query as { include?: unknown }
  if (fields === undefined || selectable.deeper || typeof include !== 'string') return fields
  const asked = include.split(',')
  const added = Object.entries(selectable.item.shape).filter(([name]) => asked.includes(name))
  return [...fields, 'id', ...added.flatMap(([, part]) => foundBy.get(part)?.fields ?? [])]
}

/** An answer with only these fields of its items, in their own order. */
export function select(selectable: Selectable, fields: readonly string[], answer: unknown): unknown {
  const { item, inList, deeper } = selectable
  if (deeper) return answer
  const { shape } = item
  const whole = answer instanceof Prerendered ? answer.item : answer
  const names = Object.keys(shape).filter((name) => fields.includes(name) || isAdded(shape[name]))
  const shown = (item: Json) => {
    // it was read as it is asked for, without anything beside it
    if (Object.keys(item).length === fields.length) return item
    const left: Json = {}
    for (const name of names) if (item[name] !== undefined) left[name] = item[name]
    return left
  }
  if (!inList) return shown(whole as Json)
  const { data, ...rest } = whole as { data: Json[] }
  return { data: data.map(shown), ...rest }
}

/** The schema of an answer with only these fields. */
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
