import type { Condition, Schema } from './json-schema.ts'
import { union } from './literals.ts'

type TypeOf = (schema: Schema) => string

/**
 * The rules of an object beyond the types of its fields: a type for each rule over two fields. An object must match one
 * alternative of each.
 */
export function conditionsOn(schema: Schema, typeOf: TypeOf): string[] {
  const refused = conditionsIn(schema)
  const fieldsOf = ({ properties }: Condition) => Object.keys(properties).join()
  return [...new Set(refused.map(fieldsOf))].map((fields) => {
    const conditions = refused.filter((condition) => fieldsOf(condition) === fields)
    return `(${union(alternatives(conditions, schema, typeOf))})`
  })
}

const conditionsIn = ({ not }: Schema): readonly Condition[] =>
  not === undefined ? [] : 'properties' in not ? [not] : (not.anyOf ?? [])

/** The alternatives of two fields. Both together are never allowed; neither is refused only if a rule says so. */
function alternatives(conditions: readonly Condition[], schema: Schema, typeOf: TypeOf): string[] {
  const both = conditions.find(({ required }) => required)
  const neither = conditions.find(({ required }) => !required)
  if (both === undefined) throw new Error(`No TypeScript type for ${JSON.stringify(conditions)}`)
  const fields = Object.entries(both.properties).map(([name, given]) => ({ name, mayBeNull: 'not' in given }))
  const absent = ({ name, mayBeNull }: Field) => `${name}?: ${mayBeNull ? 'null | undefined' : 'undefined'}`
  if (neither === undefined) return fields.map((field) => `{ ${absent(field)} }`)
  const eachAlone = fields.map((field) => {
    const others = fields.filter((other) => other !== field)
    return `{ ${[`${field.name}: ${givenType(field)}`, ...others.map(absent)].join('; ')} }`
  })
  const noneSent = `{ ${fields.map(({ name }) => `${name}?: undefined`).join('; ')} }`
  return neither.anyOf ? [...eachAlone, noneSent] : eachAlone

  function givenType({ name, mayBeNull }: Field): string {
    const field = schema.properties?.[name] ?? {}
    return typeOf(mayBeNull ? withoutNull(field) : field)
  }
}

interface Field {
  name: string
  mayBeNull: boolean
}

const withoutNull = (field: Schema): Schema => ({
  ...field,
  ...(field.anyOf ? { anyOf: field.anyOf.filter(({ type }) => type !== 'null') } : {}),
})
