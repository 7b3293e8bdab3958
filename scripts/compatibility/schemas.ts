import { fitsAll, overFields } from './trials.ts'
import { accepts, bounds, isWider } from './values.ts'

export type Schema = Record<string, unknown>

/** Whether clients send a value or read it. */
export type Way = 'sent' | 'read'

/** The named schemas of both documents, and the compared pairs. */
export interface Names {
  before: Record<string, Schema>
  now: Record<string, Schema>
  seen: Set<string>
}

/**
 * The ways in which a new schema breaks clients of the old one, one sentence each. The server must still accept old requests.
 * Responses must stay as they were, but can have more fields and longer values.
 * @param where names the value in the sentences, such as `tasks.create: body`
 */
export function schemaBreaks(way: Way, before: Schema, now: Schema, names: Names, where: string): string[] {
  const defaults = before.default !== undefined && same(before.default, now.default) === false
  return [
    ...(way === 'sent' && defaults ? [`${where} no longer has the default ${text(before.default)}`] : []),
    ...alternativeBreaks(way, before, now, names, where),
  ]
}

/** Each alternative of the narrower schema must fit into one of the wider schema. */
function alternativeBreaks(way: Way, before: Schema, now: Schema, names: Names, where: string): string[] {
  const one = onlyName(before)
  if (one !== undefined && one === onlyName(now)) return namedBreaks(way, one, names)
  const [parts, partsNow] = [before.allOf, now.allOf] as (Schema[] | undefined)[]
  if (parts && parts.length === partsNow?.length)
    return parts.flatMap((part, i) => schemaBreaks(way, part, partsNow[i] ?? {}, names, where))
  const [older, newer] = [alternatives(before, names.before), alternatives(now, names.now)]
  const [inner, outer] = way === 'sent' ? [older, newer] : [newer, older]
  return inner.flatMap((alternative) => {
    const tries = outer.map((candidate) => ({
      candidate,
      breaks:
        way === 'sent'
          ? plainBreaks(way, alternative, candidate, names, where)
          : plainBreaks(way, candidate, alternative, names, where),
    }))
    if (tries.some(({ breaks }) => breaks.length === 0)) return []
    const alike = tries.filter(({ candidate }) => kind(candidate) === kind(alternative))
    const [nearest] = alike.sort((one, other) => one.breaks.length - other.breaks.length)
    if (nearest && !('const' in alternative)) return nearest.breaks
    const [only] = inner.length === 1 && outer.length === 1 ? tries : []
    if (only) return only.breaks
    return [`${where} ${way === 'sent' ? 'no longer takes' : 'may now be'} ${named(alternative)}`]
  })
}

/** Compares a named schema once per direction, because many schemas refer to it. */
function namedBreaks(way: Way, name: string, names: Names): string[] {
  const [before, now] = [names.before[name], names.now[name]]
  if (names.seen.has(`${way} ${name}`) || before === undefined || now === undefined) return []
  names.seen.add(`${way} ${name}`)
  return schemaBreaks(way, before, now, names, name)
}

/** Compares two schemas without alternatives. */
function plainBreaks(way: Way, before: Schema, now: Schema, names: Names, where: string): string[] {
  const [inner, outer] = way === 'sent' ? [before, now] : [now, before]
  if ('const' in outer && !('const' in inner)) return [`${where} is no longer free`]
  if ('const' in inner) return accepts(outer, inner.const) ? [] : [`${where} is no longer ${text(inner.const)}`]
  if (outer.type === undefined && ruleBreaks(way, before, now, where).length === 0) return []
  if (inner.type !== outer.type && !(inner.type === 'integer' && outer.type === 'number'))
    return [`${where} was ${named(before)} and is now ${named(now)}`]
  return [
    ...ruleBreaks(way, before, now, where),
    ...fieldBreaks(way, before, now, names, where),
    ...partBreaks(way, before.items, now.items, names, `${where}[]`),
    ...partBreaks(way, before.additionalProperties, now.additionalProperties, names, `${where}.*`),
  ]
}

function fieldBreaks(way: Way, before: Schema, now: Schema, names: Names, where: string): string[] {
  const [older, newer] = [fieldsOf(before), fieldsOf(now)]
  const removed = Object.keys(older).filter((field) => newer[field] === undefined)
  const [neededBefore, neededNow] = [required(before), required(now)]
  const dropped = neededBefore.filter((field) => !neededNow.includes(field) && !removed.includes(field))
  const added = neededNow.filter((field) => !neededBefore.includes(field))
  return [
    ...removed.map((field) => `${where}.${field} is gone`),
    ...(way === 'sent'
      ? added.map((field) => `${where}.${field} must now be sent`)
      : dropped.map((field) => `${where}.${field} is no longer always there`)),
    ...Object.entries(older).flatMap(([field, schema]) => {
      const other = newer[field]
      return other === undefined ? [] : schemaBreaks(way, schema, other, names, `${where}.${field}`)
    }),
    ...(way === 'sent' && before.additionalProperties !== false && now.additionalProperties === false
      ? [`${where} no longer takes other fields`]
      : []),
  ]
}

/** Compares items or unnamed fields; a missing schema accepts anything. */
function partBreaks(way: Way, before: unknown, now: unknown, names: Names, where: string): string[] {
  if (before === false || now === false || before === now) return []
  const [older, newer] = [before, now].map((schema) => (isSchema(schema) ? schema : {}))
  return schemaBreaks(way, older ?? {}, newer ?? {}, names, where)
}

/** Compares bounds, formats and rules that cannot be ordered: they must stay the same, or disappear where that is wider. */
function ruleBreaks(way: Way, before: Schema, now: Schema, where: string): string[] {
  const [inner, outer] = way === 'sent' ? [before, now] : [now, before]
  const rules = Object.keys(outer).filter((key) => !understood.has(key) && !(key in bounds))
  const passes = fitsAll(inner, outer)
  return [
    ...Object.entries(bounds).flatMap(([key, isWithin]) => {
      // a response can have more items than before
      if (outer[key] === undefined || (way === 'read' && key.startsWith('max'))) return []
      return inner[key] !== undefined && isWithin(Number(inner[key]), Number(outer[key]))
        ? []
        : [`${where} had ${key} ${text(before[key])} and now has ${text(now[key])}`]
    }),
    ...rules.flatMap((key) => {
      if (same(inner[key], outer[key]) || (way === 'read' && boundWhenSent.has(key))) return []
      if (key === 'pattern' && isWider(outer[key], inner[key])) return []
      if (overFields.includes(key) && passes) return []
      return [`${where} had ${key} ${text(before[key])} and now has ${text(now[key])}`]
    }),
  ]
}

/** Keywords that other code compares, or that restrict nothing. */
const understood = new Set(['type', 'properties', 'required', 'items', 'additionalProperties', 'const', 'default'])
/** A response can have more fields than before, so also new keys in a map. */
const boundWhenSent = new Set(['propertyNames'])

/** Splits a schema into plain ones: one for each value of `enum`, and for each branch of `anyOf` and `null`. */
function alternatives(schema: Schema, table: Record<string, Schema>): Schema[] {
  const { $ref, allOf, anyOf, oneOf, enum: values, ...own } = schema
  if (typeof $ref === 'string') return alternatives(table[nameIn($ref)] ?? {}, table)
  if (Array.isArray(allOf)) return alternatives(merged([own, ...allOf], table), table)
  // beside a type, `anyOf` is a rule over fields
  const branches = own.type === undefined ? (anyOf ?? oneOf) : undefined
  if (Array.isArray(branches)) return branches.flatMap((branch) => alternatives({ ...own, ...branch }, table))
  if (Array.isArray(values)) return values.map((value) => ({ const: value }))
  if (Array.isArray(own.type)) return own.type.map((type) => ({ ...own, type }))
  if (own.type === 'boolean' && !('const' in own)) return [{ const: true }, { const: false }]
  return [{ ...own, ...(anyOf ? { anyOf } : {}), ...(oneOf ? { oneOf } : {}) }]
}

/** Merges all parts, field by field. */
function merged(parts: readonly Schema[], table: Record<string, Schema>): Schema {
  const whole = parts.map((part) => (typeof part.$ref === 'string' ? (table[nameIn(part.$ref)] ?? {}) : part))
  const fields = [...new Set(whole.flatMap((part) => Object.keys(fieldsOf(part))))]
  const properties = fields.map((field) => {
    const said = whole.flatMap((part) => fieldsOf(part)[field] ?? [])
    return [field, said.length > 1 ? { allOf: said } : said[0]]
  })
  const needed = [...new Set(whole.flatMap(required))]
  return {
    ...Object.assign({}, ...whole),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const fieldsOf = ({ properties = {} }: Schema) => properties as Record<string, Schema>
const required = ({ required = [] }: Schema) => required as string[]
const nameIn = ($ref: string) => $ref.replace('#/components/schemas/', '')
const onlyName = ({ $ref }: Schema) => (typeof $ref === 'string' ? nameIn($ref) : undefined)
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const text = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
const kind = (schema: Schema) => ('const' in schema ? 'const' : schema.type)
const named = (schema: Schema) =>
  'const' in schema
    ? text(schema.const)
    : `${String(schema.type ?? 'anything')}${schema.format ? ` (${schema.format})` : ''}`
