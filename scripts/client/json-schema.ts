/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  const?: unknown
  anyOf?: Schema[]
  /** one condition, or any of several */
  not?: Condition | { anyOf: Condition[] }
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: false | Schema
  propertyNames?: Schema
  items?: Schema
  format?: string
  pattern?: string
  description?: string
  examples?: unknown[]
  default?: unknown
}

/** A condition that must not hold: these fields are present and have these values, or any of them is present. */
export interface Condition {
  required?: string[]
  properties: Record<string, Schema | { not: Schema }>
  anyOf?: Condition[]
}

/** The part of the document that the client generator reads. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  /** by event type */
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { allOf: Schema[] } } } } } }
  >
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, { name: string; in: string }>
    responses: Record<string, { description: string }>
  }
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  'x-access': { credential: 'apiKey' | 'operatorToken'; description: string }
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}

/** A parameter, or a reference to a shared one. */
export interface Parameter {
  $ref?: string
  name: string
  in: string
  description?: string
  required: boolean
  schema: Schema
}

/** The last part of a reference: `Task` of `#/components/schemas/Task`. */
export const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** The words of a comma-separated list; undefined for any other pattern. */
export function wordsOf({ pattern = '' }: Schema): string[] | undefined {
  const [, words] = /^\^\(([\w|]+)\)\(,\(\1\)\)\{0,\d+\}\$$/.exec(pattern) ?? []
  return words?.split('|')
}

/** The names of all schemas to which a schema refers, directly or indirectly. */
export function reachedFrom(schema: Schema, named: Record<string, Schema>, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    reachedFrom(named[name] ?? {}, named, seen)
  }
  return seen
}
