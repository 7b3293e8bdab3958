import { element, prose } from './element.js'
import { nameOf } from './openapi.js'
import { knownIds } from './session.js'

/** The fields of an object, each with type, bounds and description, nested ones below. */
export function fieldList(schema, resolve, asked) {
  const { properties = {}, required = [] } = resolve(schema)
  return element(
    'ul',
    { class: 'fields' },
    neededFirst(Object.entries(properties), asked ? required : []).map(([name, field]) => {
      const inner = objectIn(field, resolve)
      return element(
        'li',
        {},
        element('code', { class: 'field' }, name),
        marks(field, asked && required.includes(name)),
        inner ? fieldList(inner, resolve, asked) : undefined,
      )
    }),
  )
}

const neededFirst = (fields, needed) => [
  ...fields.filter(([name]) => needed.includes(name)),
  ...fields.filter(([name]) => !needed.includes(name)),
]

/** What may stand in a field: its type, its bounds, whether it must be there, what it means. */
export function marks(schema, required) {
  const limits = bounds(schema)
  return [
    ...said('type', typeOf(schema)),
    ...said('bounds', limits),
    ...said('required', required ? 'required' : ''),
    schema.description !== undefined && prose(schema.description),
  ]
}

// with a space before it, for those who hear or copy the line
const said = (kind, text) => (text === '' ? [] : [' ', element('span', { class: kind }, text)])

const isNull = ({ type }) => type === 'null'
const variants = ({ anyOf }) => (anyOf ?? []).filter((variant) => !isNull(variant))

function typeOf(schema) {
  const { $ref, anyOf, type, format, items, additionalProperties } = schema
  if ($ref) return nameOf(schema)
  if (anyOf) return [...variants(schema).map(typeOf), ...(anyOf.some(isNull) ? ['null'] : [])].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return choices(schema.enum)
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`
  if (type === 'object' && typeof additionalProperties === 'object') return `map to ${typeOf(additionalProperties)}`
  return type === 'string' && format ? format : (type ?? 'anything')
}

// a list of more words is read elsewhere
const mostChoices = 12

function choices(all) {
  const shown = all.slice(0, all.length > mostChoices ? 3 : mostChoices).map((value) => JSON.stringify(value))
  return [...shown, ...(all.length > mostChoices ? [`${all.length - 3} others`] : [])].join(' | ')
}

function bounds(schema) {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems, uniqueItems, pattern, items } = schema
  const parts = [
    // a format says more than its length
    format ? '' : range(minLength, maxLength, 'characters'),
    range(sane(minimum), sane(maximum), ''),
    range(minItems, maxItems, 'items'),
    uniqueItems ? 'no duplicates' : '',
    format || pattern === undefined ? '' : inWords(pattern),
    items ? bounds(items) : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    ...variants(schema).map(bounds),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

// a long one tells a person nothing; the description does
const longestPattern = 24

const inWords = (pattern) => patterns[pattern] ?? (pattern.length > longestPattern ? '' : `matches ${pattern}`)

const patterns = { '\\S': 'not blank', '^[^\\u0000]*$': 'no U+0000' }

const sane = (limit) => (Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined)

function range(from, to, unit) {
  if (from === undefined && to === undefined) return ''
  const [low, high] = [from, to].map((limit) => limit?.toLocaleString('en'))
  const span = to === undefined ? `at least ${low}` : from === undefined ? `at most ${high}` : `${low} to ${high}`
  return `${span} ${unit}`.trimEnd()
}

/** The object whose fields a field has below it: its own, or those of the items of its list. */
function objectIn(schema, resolve) {
  const whole = resolve(schema.items ?? variants(schema)[0] ?? schema)
  return whole.properties ? whole : undefined
}

/** A body to begin with: the fields that it needs, or `all`, with the examples of the schema and ids that were seen. */
export function sampleBody(schema, resolve, all) {
  const { properties = {}, required } = resolve(schema)
  const names = Object.keys(properties)
  const needed = required ?? [names.includes('name') ? 'name' : names[0]]
  const entries = names
    .filter((name) => all || needed.includes(name))
    .map((name) => [name, sample(name, properties[name], resolve, all)])
  return Object.fromEntries(entries)
}

function sample(name, schema, resolve, all) {
  const it = { ...schema, ...resolve(variants(schema)[0] ?? schema) }
  const { type, format } = it
  // an example of an id names nothing here
  if (format === 'uuid')
    return knownIds(name)[0]?.[0] ?? (all && schema.anyOf ? null : `the id of a ${name.replace(/Id$/, '')}`)
  if (type === 'object') return sampleBody(it, resolve, true)
  if (type === 'array') return it.minItems ? [sample(name, it.items, resolve, all)] : []
  const given = it.const ?? it.default ?? it.examples?.[0] ?? it.example ?? it.enum?.[0]
  if (given !== undefined) return given
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(it.minimum ?? 0, 0)
  const now = new Date().toISOString()
  if (format === 'date-time') return now
  if (format === 'date') return now.slice(0, 10)
  return 'Some text'
}
