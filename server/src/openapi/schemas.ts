import { z } from 'zod'

export type Json = Record<string, unknown>

/** Zod's patterns repeat at length what these formats say, so the document keeps only the patterns that we gave. */
const lengthOfFormat: Record<string, number> = { uuid: 36, date: 10, 'date-time': 40 }

const largestInt32 = 2 ** 31 - 1

/** The JSON Schema of what is sent (input) or answered (output), from the schema that validates it. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs, ...own } = jsonSchemaOf(schema, io)
  return own
}

/** The schemas that have a name, each once: what `$ref` in the others points to. */
export function namedSchemas(schemas: readonly z.ZodType[]): Record<string, Json> {
  const named = schemas.flatMap((schema) =>
    Object.entries((jsonSchemaOf(schema, 'output').$defs ?? {}) as Record<string, Json>),
  )
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What the description of a field that holds `schema` says by way of an example: of an object, of each of its fields. */
export function exampleOf(schema: Json, named: Record<string, Json> = {}): unknown {
  const { $ref, examples, anyOf, type, properties, items } = schema as Keywords
  if ($ref !== undefined) return exampleOf(named[$ref.replace(reference, '')] ?? {}, named)
  if (examples !== undefined) return examples[0]
  const [value] = [schema.const, schema.default, ...((schema.enum as unknown[]) ?? [])].filter((it) => it !== undefined)
  if (value !== undefined) return value
  if (anyOf !== undefined) return exampleOf(anyOf[0] ?? {}, named)
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field, named)]))
  }
  if (type === 'array') return [exampleOf(items ?? {}, named)]
  if (type === 'integer') return schema.minimum
  if (type === 'boolean') return true
  throw new Error(`A field needs an example: ${JSON.stringify(schema)}`)
}

interface Keywords {
  $ref?: string
  examples?: unknown[]
  anyOf?: Json[]
  type?: string
  properties?: Record<string, Json>
  items?: Json
}

const reference = '#/components/schemas/'

// a document asks for most of them several times, and every start makes one
const known = { input: new WeakMap<z.ZodType, string>(), output: new WeakMap<z.ZodType, string>() }

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const text = known[io].get(schema) ?? converted(schema, io)
  known[io].set(schema, text)
  return JSON.parse(text)
}

function converted(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { format, type } = jsonSchema
      const { pattern, examples, default: preset } = (z.globalRegistry.get(zodSchema) ?? {}) as Json
      // zod leaves them out of what is transformed: it cannot know that ours are of what is sent
      Object.assign(jsonSchema, examples ? { examples } : {}, preset === undefined ? {} : { default: preset })
      if (type === 'integer') {
        delete jsonSchema.pattern
        jsonSchema.format = (jsonSchema.maximum ?? Number.POSITIVE_INFINITY) <= largestInt32 ? 'int32' : 'int64'
      }
      // given as text, as all of a query is
      if (type === 'boolean') delete jsonSchema.enum
      const length = type === 'string' ? lengthOfFormat[format ?? ''] : undefined
      if (length !== undefined) {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { maxLength: jsonSchema.maxLength ?? length }, pattern ? { pattern } : {})
      }
      // a schema's name is where it stands
      delete jsonSchema.id
    },
  }) as Json
  return JSON.stringify(json).replaceAll('#/$defs/', reference)
}
