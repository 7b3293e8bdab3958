import type { Document, Parameter, Schema } from './json-schema.ts'
import { nameIn, wordsOf } from './json-schema.ts'
import { literal } from './literals.ts'
import { type Call, lowerFirst, wholeNameOf } from './operation.ts'

/** An example call of an operation. Its ids are in variables with their names. */
export function exampleOf(call: Call, document: Document): string {
  const { name, ids, item, paging, answer, selection } = call
  const input = call.kind === 'body' ? bodyOf(call) : queryOf(call)
  const values = [...ids.map(({ name, key }) => (key ? literal(key) : name)), ...(input === '' ? [] : [input])]
  const called = `tw.${name}(${values.join(', ')})`
  if (answer === undefined) return `await ${called}`
  const one = lowerFirst(wholeNameOf(nameIn(item?.$ref ?? 'Answer')))
  if (paging === undefined) return `const ${one} = await ${called}`
  const { properties = {} } = document.components.schemas[nameIn(item?.$ref ?? '')] ?? {}
  const [telling = 'id'] = ['name', 'body', 'type', 'eventType'].filter((field) => field in properties)
  const shown = [telling, ...(selection?.include?.slice(0, 1) ?? [])].map((field) => `${one}.${field}`)
  return `for await (const ${one} of ${called}) {\n  console.log(${shown.join(', ')})\n}`
}

function bodyOf(call: Call): string {
  const [given] = (call.body?.examples ?? []) as Record<string, unknown>[]
  return objectOf(
    fieldsSent(call).map(({ name, schema }) => [name, schema]),
    given,
  )
}

/** The body fields that an example sends. */
export function fieldsSent({ body = {} }: Call): { name: string; schema: Schema; given: unknown }[] {
  const { properties = {}, required = [], examples } = body
  const [given] = (examples ?? []) as Record<string, unknown>[]
  const known = Object.keys(properties)
  const one = known.includes('name') ? ['name'] : known.slice(0, 1)
  const names = given ? Object.keys(given) : required.length > 0 ? required : one
  return names.map((name) => ({ name, schema: properties[name] ?? {}, given: given?.[name] }))
}

function queryOf(call: Call): string {
  const { selection } = call
  const fields = queryAsked(call).map(({ name, schema, takesMe }): [string, string] => [
    name,
    takesMe ? literal('me') : textOf(name, schema),
  ])
  const [part] = selection?.include ?? []
  return objectText([...fields, ...(part === undefined ? [] : [['include', `[${literal(part)}]`] as [string, string]])])
}

/** The query parameters that an example uses, and whether each accepts `me`. */
export function queryAsked({ query }: Call): (Parameter & { takesMe: boolean })[] {
  const asked = query.filter(({ required }) => required)
  const [mine] = query.filter((parameter) => takes('me', parameter))
  const [inProject] = query.filter(({ name }) => name === 'projectId')
  const filters = asked.length > 0 ? asked : [mine ?? inProject].filter((filter) => filter !== undefined)
  return filters.map((parameter) => ({ ...parameter, takesMe: takes('me', parameter) }))
}

const takes = (word: string, { schema }: Parameter) => JSON.stringify(schema).includes(JSON.stringify(word))

const objectOf = (fields: readonly [string, Schema][], given: Record<string, unknown> = {}): string =>
  objectText(fields.map(([name, schema]) => [name, textOf(name, schema, given[name])]))

function objectText(fields: readonly (readonly [string, string])[]): string {
  if (fields.length === 0) return ''
  return `{ ${fields.map(([name, value]) => (name === value ? name : `${name}: ${value}`)).join(', ')} }`
}

/** The code of a value; an id is a variable. */
function textOf(name: string, schema: Schema, given = exampleIn(schema)): string {
  const { anyOf, items, properties, required = [], format } = schema
  if (format === 'uuid') return name
  if (anyOf) return textOf(name, anyOf[0] ?? {}, given)
  const words = wordsOf(schema)
  if (words) return `[${words.slice(0, 1).map(literal).join()}]`
  if (items && schema.examples === undefined)
    return `[${textOf(name.replace(/s$/, ''), items, (given as unknown[] | undefined)?.[0])}]`
  if (properties) return objectOf(Object.entries(properties).filter(([field]) => required.includes(field)))
  return valueText(given)
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return literal(value)
  return objectText(Object.entries(value).map(([name, inner]) => [name, valueText(inner)]))
}

function exampleIn(schema: Schema): unknown {
  const [example] = [...(schema.examples ?? []), schema.const, schema.default, ...(schema.enum ?? [])].filter(
    (value) => value !== undefined,
  )
  return example ?? (schema.type === 'integer' ? 1 : schema.type === 'boolean' ? true : undefined)
}
