/** The part of the OpenAPI document that the generator reads. */
export interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** An operation of the document. */
export interface Described {
  description?: string
  'x-access': { description: string }
  parameters: readonly { name?: string; in?: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema }; 'text/csv'?: object } }>
}

/** The part of JSON Schema that the generator reads. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: readonly string[]
  const?: string
  description?: string
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** A schema without its null alternative. */
export function bare(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  const [only, ...more] = (anyOf ?? []).filter(({ type }) => type !== 'null')
  if (only === undefined || more.length > 0 || isVariant(schema)) return schema
  return { ...only, ...rest }
}

// the server checks which fields go together
const isVariant = ({ properties }: Schema) => properties !== undefined

export const isNullable = ({ anyOf = [] }: Schema) => anyOf.some(({ type }) => type === 'null')

/** The name of the schema in a reference. */
export const referredBy = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1)
