import { z } from 'zod'
import { prefix } from './answer.ts'
import { operator, type Route } from './route.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the routes, from the schemas that validate them. */
export function openapi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = prefix + route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Taskwright',
      version,
      description: 'A headless work-management server: one multi-tenant REST API with exactly-once writes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or the operator token.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: { ...namedSchemas(routes), Error: errorSchema, ValidationError: validationErrorSchema },
    },
  }
}

function operation(route: Route): Json {
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.path.split('/')[1]],
    ...(route.roles === operator ? { security: [{ bearer: [] }] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body ? { requestBody: requestBody(route.body) } : {}),
    responses: responses(route),
  }
}

/** `GET /tags/{id}` is readTag, `GET /projects/{id}/members` listProjectMembers, `POST /tasks/{id}/move` moveTask. */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const last = words.at(-1) ?? ''
  // nouns that one can add to are plural: whatever else is posted to is an action
  if (method === 'POST' && !last.endsWith('s')) return last + words.slice(0, -1).map(singular).join('')
  const many = method === 'GET' && last.endsWith('s') && path.endsWith(last)
  const verb = many ? 'list' : { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' }[method]
  const nouns = words.map((word, i) => (many && i === words.length - 1 ? capitalized(word) : singular(word)))
  return verb + nouns.join('')
}

const capitalized = (word: string) => word.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const singular = (word: string) => capitalized(word.replace(/ies$/, 'y').replace(/s$/, ''))

const pathParameters = (route: Route) =>
  route.ids.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }))

function queryParameters({ query }: Route) {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function headerParameters({ method, at }: Route) {
  const header = (name: string, description: string, schema: Json) => ({ name, in: 'header', description, schema })
  if (method === 'POST') {
    return [
      header('Idempotency-Key', 'Makes the request safe to send again: it takes effect once.', {
        type: 'string',
        minLength: 1,
        maxLength: 255,
      }),
    ]
  }
  if (at === undefined) return []
  return method === 'GET'
    ? [header('If-None-Match', 'The ETag that the client has: 304 while it is current.', { type: 'string' })]
    : [header('If-Match', 'The ETag that the client read: 412 when it changed since.', { type: 'string' })]
}

const requestBody = (body: z.ZodType) => ({
  required: !body.safeParse({}).success,
  content: { 'application/json': { schema: schemaOf(body, 'input') } },
})

function responses(route: Route): Json {
  const error = (description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  const writes = route.method !== 'GET'
  const guarded = route.at !== undefined || Object.keys(route.references).length > 0 || route.ids.length > 0
  return {
    ...success(route),
    ...(writes ? { 400: error('Malformed, or the domain does not allow it') } : {}),
    401: error('Missing, invalid, expired or revoked API key'),
    403: error('The key lacks the scope, or its member the role'),
    ...(guarded ? { 404: error('It does not exist, or the caller cannot see it') } : {}),
    ...(route.method === 'POST' ? { 409: error('The Idempotency-Key was used with a different request') } : {}),
    ...(writes && guarded ? { 412: error('A rule of the domain, or If-Match, prevented it') } : {}),
    ...(writes ? { 413: error('The body is too large'), 415: error('The body is not JSON') } : {}),
    422: {
      description: 'Validation failed',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ValidationError' } } },
    },
    429: error('The rate limit of the key is used up; see Retry-After'),
    500: error('An error that nobody foresaw'),
    503: error('Not just now; see Retry-After'),
  }
}

function success(route: Route): Json {
  if (route.returns === undefined) return { 204: { description: 'Done' } }
  const content = { 'application/json': { schema: reference(route.returns) } }
  if (!route.created) return { 200: { description: 'Done', content } }
  const headers = { Location: { description: 'Where it lives', schema: { type: 'string' } } }
  return { 201: { description: 'Created', headers, content } }
}

/** The schemas that have a name, each once. */
function namedSchemas(routes: readonly Route[]): Json {
  const named = routes.flatMap(({ returns }) =>
    Object.entries(returns ? (schemaOf(returns, 'output').$defs as Json) : {}),
  )
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function reference(schema: z.ZodType): Json {
  const { $defs, ...own } = schemaOf(schema, 'output')
  return own
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // a format says what zod's long patterns say, and a whole number has none; a schema's name is where it stands
      if (jsonSchema.format !== undefined || jsonSchema.type === 'integer') delete jsonSchema.pattern
      delete jsonSchema.id
    },
  }) as Json
  return JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/'))
}

const errorSchema = {
  type: 'object',
  properties: { error: { type: 'string' } },
  required: ['error'],
  additionalProperties: false,
}

const messages = { type: 'array', items: { type: 'string' } }

const validationErrorSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', const: 'Validation failed' },
    details: {
      type: 'object',
      properties: {
        formErrors: messages,
        fieldErrors: { type: 'object', additionalProperties: messages },
      },
      required: ['formErrors', 'fieldErrors'],
      additionalProperties: false,
    },
  },
  required: ['error', 'details'],
  additionalProperties: false,
}
