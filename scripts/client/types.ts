import { commented } from './comments.ts'
import { conditionsOn } from './conditions.ts'
import { nameIn, type Schema, wordsOf } from './json-schema.ts'
import { literal, union } from './literals.ts'

/** How to write the types of one file. */
export interface Writing {
  /** request types accept readonly and undefined values: undefined is not sent */
  of: 'requests' | 'answers'
  /** the type name of a word list; undefined to write it out */
  nameOfWords(words: readonly string[]): string | undefined
  /** the code for a reference to a schema */
  typeNamed(name: string): string
}

/** The TypeScript type of a schema. */
export function typeOf(schema: Schema, writing: Writing): string {
  const { $ref, anyOf, type, items, additionalProperties, propertyNames, properties } = schema
  if ($ref !== undefined) return writing.typeNamed(nameIn($ref))
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return writing.nameOfWords(schema.enum) ?? union(schema.enum.map(literal))
  if (anyOf) return union(anyOf.map((one) => typeOf(one, writing)))
  const words = wordsOf(schema)
  if (words) return listOf(writing.nameOfWords(words) ?? union(words.map(literal)), writing)
  if (type === 'array') return listOf(typeOf(items ?? {}, writing), writing)
  if (type === 'object' && additionalProperties) {
    const values = typeOf(additionalProperties, writing)
    return propertyNames?.enum
      ? `Partial<Record<${typeOf(propertyNames, writing)}, ${values}>>`
      : `Record<string, ${values}>`
  }
  if (properties)
    return [`{\n${fieldsOf(schema, writing)}}`, ...conditionsOn(schema, (field) => typeOf(field, writing))].join(' & ')
  if (type === undefined) return 'unknown'
  const simple = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[type]
  if (simple === undefined) throw new Error(`No TypeScript type for ${JSON.stringify(schema)}`)
  return simple
}

/** The fields of an object, one per line, each after its doc comment. */
export function fieldsOf({ properties = {}, required = [] }: Schema, writing: Writing): string {
  return Object.entries(properties)
    .map(([name, field]) =>
      fieldLine(name, typeOf(field, writing), { field, isRequired: required.includes(name), writing }),
    )
    .join('')
}

/** A field with its doc comment. */
export function fieldLine(
  name: string,
  type: string,
  { field, isRequired, writing }: { field: Schema; isRequired: boolean; writing: Writing },
): string {
  const undefinable = !isRequired && writing.of === 'requests' ? ' | undefined' : ''
  return `${commented(toldOf(field))}${name}${isRequired ? '' : '?'}: ${type}${undefinable}\n`
}

// without a description, a text type does not show its format
function toldOf({ description, format, anyOf, examples }: Schema): string[] {
  const written = [{ format, examples }, ...(anyOf ?? [])].find(({ format = '' }) => format.startsWith('date'))
  const [example] = written?.examples ?? []
  return [description, example === undefined ? undefined : `As \`${example}\`.`].filter((said) => said !== undefined)
}

function listOf(items: string, { of }: Writing): string {
  const one = /[|&]/.test(items) ? `(${items})` : items
  return of === 'requests' ? `readonly ${one}[]` : `${one}[]`
}
