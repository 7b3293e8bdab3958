import type { Schema } from './schemas.ts'

type Json = Record<string, unknown>

/** The parts of a document on which clients rely, without descriptions. */
export interface Promises {
  version: string
  operations: Record<string, Operation>
  webhooks: Record<string, Answer>
  schemas: Record<string, Schema>
  /** the machine-readable error codes */
  errorCodes?: Record<string, true>
}

export interface Operation {
  /** method and path */
  at: string
  /** the ways to authenticate */
  security: string[]
  /** by place and name, such as `query limit` */
  parameters: Record<string, Parameter>
  body?: { required: boolean; content: Record<string, Schema> }
  /** by status */
  answers: Record<string, Answer>
}

interface Parameter {
  required: boolean
  /** the format of lists */
  form: string
  schema: Schema
}

export interface Answer {
  /** header names, and whether each is always present */
  headers: Record<string, boolean>
  /** by media type */
  content: Record<string, Schema>
}

/** The promises of an OpenAPI document. */
export function promisesOf(document: Json): Promises {
  const at = (node: unknown) => resolved(document, node)
  const operations = Object.entries(at(document.paths)).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]) => {
      const { operationId } = operation as { operationId: string }
      return [operationId, operationOf(document, `${method.toUpperCase()} ${path}`, operation as Json)] as const
    }),
  )
  const webhooks = Object.entries(at(document.webhooks)).map(([name, { post }]) => {
    const headers = parametersOf(document, post.parameters).map(([name, { required }]) => [
      name.replace('header ', ''),
      required,
    ])
    return [name, { headers: Object.fromEntries(headers), content: contentOf(at(post.requestBody)) }] as const
  })
  const { schemas, headers = {} } = at(document.components)
  const codes: string[] = headers['X-Error-Code']?.schema.anyOf[0].enum ?? []
  return {
    version: String(at(document.info).version),
    operations: Object.fromEntries(operations),
    webhooks: Object.fromEntries(webhooks),
    schemas: Object.fromEntries(Object.entries(schemas as Json).map(([name, schema]) => [name, bare(schema as Json)])),
    errorCodes: Object.fromEntries(codes.map((code) => [code, true])),
  }
}

function operationOf(document: Json, at: string, operation: Json): Operation {
  const security = (operation.security ?? document.security ?? []) as Json[]
  const body = operation.requestBody ? resolved(document, operation.requestBody) : undefined
  const answers = Object.entries(operation.responses as Json).map(([status, answer]) => {
    const { headers = {}, ...rest } = resolved(document, answer)
    const named = Object.entries(headers as Json).map(([name, header]) => [
      name,
      resolved(document, header).required === true,
    ])
    return [status, { headers: Object.fromEntries(named), content: contentOf(rest) }] as const
  })
  return {
    at,
    security: security.map((way) => Object.keys(way).join(' and ')),
    parameters: Object.fromEntries(parametersOf(document, operation.parameters)),
    ...(body ? { body: { required: body.required === true, content: contentOf(body) } } : {}),
    answers: Object.fromEntries(answers),
  }
}

function parametersOf(document: Json, parameters: unknown): [string, Parameter][] {
  return ((parameters ?? []) as Json[]).map((parameter) => {
    const { name, in: place, required, style, explode, schema } = resolved(document, parameter)
    const form = [style, explode].filter((it) => it !== undefined).join(' ')
    return [`${place} ${name}`, { required: required === true, form, schema: bare(schema as Json) }]
  })
}

function contentOf({ content = {} }: Json): Record<string, Schema> {
  const types = Object.entries(content as Record<string, { schema: Json }>)
  return Object.fromEntries(types.map(([type, { schema }]) => [type, bare(schema)]))
}

// biome-ignore lint/suspicious/noExplicitAny: what stands where is held by the linters of the document
function resolved(document: Json, node: unknown): Record<string, any> {
  const { $ref } = (node ?? {}) as { $ref?: string }
  if ($ref === undefined) return (node ?? {}) as Json
  return $ref
    .slice(2)
    .split('/')
    .reduce<Json>((within, name) => within[name] as Json, document)
}

const prose = new Set(['description', 'title', 'summary', 'example', 'examples', 'deprecated'])

/** A schema without descriptions. */
function bare(schema: Json): Schema {
  const entries = Object.entries(schema).filter(([key]) => !prose.has(key))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'properties' ? fields(value as Json) : within(value)]),
  )
}

const fields = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, bare(schema as Json)]))

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within)
  return typeof value === 'object' && value !== null ? bare(value as Json) : value
}
