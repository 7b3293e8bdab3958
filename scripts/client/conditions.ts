import type { Branch, Condition, Schema } from './json-schema.ts'
import { typeOf, union, type Writing } from './types.ts'

/** What must hold of an object besides the types of its fields: a type for each condition, of which an alternative must fit. */
export function conditionsOn(schema: Schema, writing: Writing): string[] {
  const { oneOf, not } = schema
  const all = [oneOf?.map((branch) => alternative(branch, oneOf, schema, writing)), not && others(not)]
  return all.flatMap((alternatives) => (alternatives ? `(${union(alternatives)})` : []))
}

/** Exactly one of the branches: what only another one asks for is absent here. */
function alternative(branch: Branch, branches: readonly Branch[], schema: Schema, writing: Writing): string {
  const { required = [], properties = {} } = conditionOf(branch)
  const elsewhere = branches.flatMap((other) => conditionOf(other).required ?? [])
  const fields = [...new Set([...required, ...Object.keys(properties), ...elsewhere])].map((name) => {
    const field = schema.properties?.[name] ?? {}
    if (required.includes(name))
      return `${name}: ${typeOf(isNotNull(properties[name]) ? withoutNull(field) : field, writing)}`
    return `${name}?: ${properties[name] ? `${typeOf(properties[name] as Schema, writing)} | undefined` : 'undefined'}`
  })
  return `{ ${fields.join('; ')} }`
}

// one that asks for nothing forbids what the others ask for
const conditionOf = (branch: Branch): Condition => ('not' in branch ? {} : (branch as Condition))

/** Not all that a condition asks for: of one field at least the contrary. */
function others({ required = [], properties = {} }: Condition): string[] {
  return required.map((name) => `{ ${name}?: ${isNotNull(properties[name]) ? 'null | undefined' : 'undefined'} }`)
}

/** Whether a field that is asked for may not be null; else it may be anything that its type is. */
function isNotNull(field: Schema | { not: Schema } = {}): boolean {
  if (Object.keys(field).length === 0) return false
  if ('not' in field && 'type' in field.not && field.not.type === 'null') return true
  throw new Error(`No TypeScript type for the condition ${JSON.stringify(field)}`)
}

const withoutNull = (field: Schema): Schema => ({
  ...field,
  ...(field.anyOf ? { anyOf: field.anyOf.filter(({ type }) => type !== 'null') } : {}),
})
