/** What of JSON Schema the document uses. */
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

/** What must not hold of an object: that these are there, and are so; that any of them is there. */
export interface Condition {
  required?: string[]
  properties: Record<string, Schema | { not: Schema }>
  anyOf?: Condition[]
}

/** What of a document the client is made from. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  /** by the types of events */
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

/** A parameter of its own, or the name of a shared one. */
export interface Parameter {
  $ref?: string
  name: string
  in: string
  description?: string
  required: boolean
  schema: Schema
}

/** The last word of a reference: `Task` of `#/components/schemas/Task`. */
export const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** The words of which a text is a list, separated by commas; undefined where it is another text. */
export function wordsOf({ pattern = '' }: Schema): string[] | undefined {
  const [, words] = /^\^\(([\w|]+)\)\(,\(\1\)\)\{0,\d+\}\$$/.exec(pattern) ?? []
  return words?.split('|')
}

/** The names of all schemas that one refers to, itself or by others. */
export function reachedFrom(schema: Schema, named: Record<string, Schema>, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    reachedFrom(named[name] ?? {}, named, seen)
  }
  return seen
}
