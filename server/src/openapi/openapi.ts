import { operator } from '../access/caller.ts'
import { Id } from '../contract/fields.ts'
import type { EventType } from '../events/event-type.ts'
import { prefix } from '../operations/answer.ts'
import type { Route } from '../operations/route.ts'
import { accessTo } from './access.ts'
import { responseHeaders, sharedParameters } from './headers.ts'
import { createdPathOf, linksFrom, shapeOf } from './links.ts'
import { nounOf } from './nouns.ts'
import { errorSchemas, refusalResponses } from './refusals.ts'
import { hasVersion, responsesOf } from './responses.ts'
import { exampleOf, type Json, namedSchemas, schemaOf } from './schemas.ts'
import { deliveryParameters, deliveryResponses, webhooksOf } from './webhooks.ts'

const description = `A headless work-management server: one multi-tenant REST API with exactly-once writes.

**Authentication.** Send an API key as \`Authorization: Bearer <key>\` or as \`X-API-Key\`. A key belongs to a member of
one organization. A resource of another organization is a 404.

**Roles.** In the organization you are an owner, an admin or a member. In a project you are a lead, a contributor or a
viewer. Owners and admins have the role lead in every project, and for everything that belongs to the whole organization.
They also have it for another member and that member's keys, unless the member has a higher role.

**Writes.** A POST with an \`Idempotency-Key\` takes effect once. If you send it again, you get the first response again.
PATCH changes only the fields that you send; \`null\` clears a field. With \`If-Match\`, a write is refused if the resource
changed since you read it.

**Lists.** Some lists page by \`offset\` and have a \`total\`. Others page by an opaque \`cursor\`, which stays correct while
other clients write.

**Events.** Every write adds events to the log of its organization. \`GET /events\` reads the log, and webhooks receive
its events.

**Errors** have one shape, \`{"error": "…"}\`. The code for programs is in \`X-Error-Code\`.`

/**
 * The OpenAPI 3.1 document of the routes and webhooks, generated from the schemas that validate them.
 * @param url the base URL that clients use
 */
export function openapi(
  routes: readonly Route[],
  eventTypes: readonly EventType[],
  version: string,
  url: string = '/',
): Json {
  const answered = routes.flatMap(({ returns }) => returns ?? [])
  const named = namedSchemas([...answered, ...eventTypes.map(({ snapshot }) => snapshot)])
  const paths: Record<string, Json> = {}
  const bodies: Record<string, Json> = {}
  const tags = new Set<string>()
  for (const route of routes) {
    const path = prefix + route.path
    const tag = subjectOf(route, routes)
    tags.add(tag)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, routes, tag, named) }
    if (route.body) bodies[bodyNameOf(route)] = schemaOf(route.body, 'input')
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Taskwright',
      version,
      summary: 'A headless work-management server.',
      description,
      contact: { name: 'The maintainers of Taskwright' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url, description: 'The server that serves this document, local or in production.', 'x-internal': false },
    ],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...tags].map((name) => ({ name, description: (named[name] ?? named[`Full${name}`])?.description })),
    paths,
    webhooks: webhooksOf(eventTypes, named),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or the operator token.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
      },
      parameters: { ...sharedParameters, ...deliveryParameters },
      headers: responseHeaders,
      responses: { ...refusalResponses, ...deliveryResponses },
      schemas: { ...named, ...bodies, ...errorSchemas },
    },
  }
}

function operation(route: Route, routes: readonly Route[], tag: string, named: Record<string, Json>): Json {
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [tag],
    'x-access': accessTo(route),
    ...(route.roles === operator ? { security: [{ bearer: [] }] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route), ...sharedParametersOf(route, named)],
    ...(route.body ? { requestBody: requestBody(route, route.body, named) } : {}),
    responses: responsesOf(route, linksFrom(route, routes), named),
  }
}

/** The name of the resource that a route returns, creates, lists or deletes. */
function subjectOf(route: Route, routes: readonly Route[]): string {
  const home = createdPathOf(route) ?? route.path
  const routeAt = (wanted: string, by: string) =>
    routes.find(({ method, path }) => method === by && shapeOf(path) === shapeOf(wanted))
  // prefer the schema of PATCH: a GET can return additional fields
  const edited = routeAt(home, 'PATCH') ?? routeAt(`${route.path}/{}`, 'PATCH')
  const { returns } = edited ?? (route.returns && home === route.path ? route : (routeAt(home, 'GET') ?? route))
  const { $ref, properties } = (returns ? schemaOf(returns, 'output') : {}) as OperationResponse
  const name = ($ref ?? properties?.data?.items?.$ref ?? '').split('/').at(-1) ?? ''
  // `Full…` is the same resource with included ones
  return name.replace(/^Full(?=[A-Z])/, '')
}

interface OperationResponse {
  $ref?: string
  properties?: { data?: { items?: { $ref?: string } } }
}

const pathParameters = ({ path, ids, accepts, target }: Route) =>
  ids.map((name, i) => {
    const accepted = i === ids.length - 1 ? accepts : target?.acceptsWithin
    const segments = path.split('/')
    const noun = nounOf(segments[segments.indexOf(`{${name}}`) - 1] ?? '')
    const description = `The id ${accepted ? 'or the key ' : ''}of the ${noun}.`
    return { name, in: 'path', description, required: true, schema: accepted ? idOr(accepted) : schemaOf(Id, 'input') }
  })

const idOr = ({ source }: RegExp) => ({
  ...{ type: 'string', minLength: 1, maxLength: 36, examples: [exampleOf(schemaOf(Id, 'input'))] },
  pattern: `^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$|${source}`,
})

function queryParameters({ query }: Route) {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const list = listIn(schema)
    return {
      name,
      in: 'query',
      ...(description ? { description } : {}),
      required: required.includes(name),
      // these are the defaults of OpenAPI, spelled out for client generators; the server also accepts commas
      ...(list ? { style: 'form', explode: true } : {}),
      schema: list ?? schema,
    }
  })
}

/** The list in a union of one value and a list. In a query, a list of one item looks like the single value. */
const listIn = ({ anyOf = [] }: { anyOf?: Json[] }) => anyOf.find(({ type }) => type === 'array')

function sharedParametersOf(route: Route, named: Record<string, Json>) {
  const { method, target, stream } = route
  const known = route.isTaggedByBody ? ['IfNoneMatch'] : []
  const read = method === 'GET' && hasVersion(route, named) ? ['IfNoneMatch', 'IfMatch'] : known
  const conditional = target && method !== 'GET' ? ['IfMatch'] : read
  const keyed = method === 'POST' ? ['IdempotencyKey'] : []
  const resumed = stream ? ['LastEventId'] : []
  const names = [...keyed, ...conditional, ...resumed, ...(method === 'GET' ? [] : ['DryRun'])]
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

function requestBody(route: Route, body: Route['query'], named: Record<string, Json>): Json {
  const schema = { $ref: `#/components/schemas/${bodyNameOf(route)}` }
  return {
    required: !body.safeParse({}).success,
    content: { 'application/json': { schema, example: exampleOf(schemaOf(body, 'input'), named) } },
  }
}

/** `TasksCreateBody`; `EmptyBody` if the body has no fields. */
function bodyNameOf({ name, body }: Route): string {
  const { properties = {} } = (body ? schemaOf(body, 'input') : {}) as { properties?: Json }
  if (Object.keys(properties).length === 0) return 'EmptyBody'
  return `${name.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Body`
}
