import { z } from 'zod'

export type Json = Record<string, unknown>

/** The maximum length of each format. zod's long patterns only repeat the format, so the document keeps only our own patterns. */
const lengthOfFormat: Record<string, number> = { uuid: 36, date: 10, 'date-time': 40 }

const largestInt32 = 2 ** 31 - 1

/** The JSON Schema of a request (input) or a response (output), from the zod schema that validates it. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs, ...own } = jsonSchemaOf(schema, io)
  return own
}

/** The named schemas, each once: `$ref` in other schemas points to them. */
export function namedSchemas(schemas: readonly z.ZodType[]): Record<string, Json> {
  const named = schemas.flatMap((schema) =>
    Object.entries((jsonSchemaOf(schema, 'output').$defs ?? {}) as Record<string, Json>),
  )
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** An example value of a schema. For an object, it has an example of each field. @throws if a field has no example */
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

// a document converts most schemas several times
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
      // zod drops these from a transformed schema: it cannot know that ours describe the input
      Object.assign(jsonSchema, examples ? { examples } : {}, preset === undefined ? {} : { default: preset })
      if (type === 'integer') {
        delete jsonSchema.pattern
        jsonSchema.format = (jsonSchema.maximum ?? Number.POSITIVE_INFINITY) <= largestInt32 ? 'int32' : 'int64'
      }
      // a flag in a query is an enum of the texts true and false
      if (type === 'boolean') delete jsonSchema.enum
      const length = type === 'string' ? lengthOfFormat[format ?? ''] : undefined
      if (length !== undefined) {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { maxLength: jsonSchema.maxLength ?? length }, pattern ? { pattern } : {})
      }
      // the key in `components` already names the schema
      delete jsonSchema.id
    },
  }) as Json
  return JSON.stringify(json).replaceAll('#/$defs/', reference)
}
