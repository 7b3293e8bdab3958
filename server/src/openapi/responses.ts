import { z } from 'zod'
import { operator } from '../access/caller.ts'
import type { Route } from '../operations/route.ts'
import { headersNamed, responseHeaders } from './headers.ts'
import { refusalsWith } from './refusals.ts'
import { exampleOf, type Json, schemaOf } from './schemas.ts'

/** All responses of an operation. */
export function responsesOf(route: Route, links: Json, named: Record<string, Json>): Json {
  const { method, ids, references, roles, refuses } = route
  const writes = method !== 'GET'
  const names = ids.length > 0 || Object.keys(references).length > 0
  const possible: Record<number, boolean> = {
    404: names || roles === operator,
    409: method === 'POST',
    412: writes || hasVersion(route, named),
    413: writes,
    415: writes,
  }
  const statuses = [400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 422, 429, 431, 500, 503]
  const refusals = refusalsWith(statuses.filter((status) => refuses.includes(status) || (possible[status] ?? true)))
  const tokenRefused =
    roles === operator
      ? { 401: { ...(refusals[401] as Json), description: 'The operator token is missing or does not work.' } }
      : {}
  return { ...successOf(route, links, named), ...refusals, ...tokenRefused }
}

function successOf(route: Route, links: Json, named: Record<string, Json>): Json {
  const { method, returns, created } = route
  const common = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Access-Control-Allow-Origin']
  if (method !== 'GET') common.push('Dry-Run')
  if (returns === undefined)
    return {
      204: {
        description: 'Success. The response has no body.',
        headers: headersNamed([...common, ...route.answerHeaders]),
      },
    }
  const validators = hasVersion(route, named) || route.isTaggedByBody ? ['ETag'] : []
  const replayed = method === 'POST' ? ['Idempotent-Replayed'] : []
  const schema = schemaOf(returns, 'output')
  const headers = headersNamed([...common, ...validators, ...replayed, ...(created ? ['Location'] : [])])
  // included resources have their own versions, and a list that sums up a running timer has no ETag
  if (validators.length > 0 && (includes(route) || route.isTaggedByBody))
    headers.ETag = { ...responseHeaders.ETag, required: false }
  const answer = {
    description: created ? 'Created.' : 'Success.',
    headers,
    content: {
      'application/json': { schema, example: exampleOf(schema, named) },
      ...(route.csv ? { 'text/csv': { schema: csvSchema } } : {}),
      ...(route.stream ? { 'text/event-stream': streamed(named) } : {}),
    },
    ...(Object.keys(links).length > 0 ? { links } : {}),
  }
  if (method !== 'GET' || validators.length === 0) return { [created ? 201 : 200]: answer }
  const unchanged = { description: 'Your copy is still current.', headers: headersNamed([...common, ...validators]) }
  return { 200: answer, 304: unchanged }
}

const csvSchema = {
  type: 'string',
  format: 'csv',
  maxLength: 50_000_000,
  description: 'The same data, with a row for each group.',
}

/** Server-sent events, each with one item of the list. @see the HTML standard, "Server-sent events" */
function streamed(named: Record<string, Json>): Json {
  const event = exampleOf({ $ref: '#/components/schemas/Event' }, named) as { sequence: number; type: string }
  const lines = ['retry: 2000', '', `id: ${event.sequence}`, `event: ${event.type}`, `data: ${JSON.stringify(event)}`]
  const schema = {
    type: 'string',
    format: 'event-stream',
    // a stream lasts as long as the client reads
    maxLength: Number.MAX_SAFE_INTEGER,
    description: 'The same events while they happen, as server-sent events. The `data` of each is an Event as JSON.',
  }
  return { schema, example: `${lines.join('\n')}\n\n` }
}

const includes = ({ query }: Route) => query instanceof z.ZodObject && 'include' in query.shape

/** Whether the resource that a route returns has a version, and therefore an ETag. */
export function hasVersion({ returns }: Route, named: Record<string, Json>): boolean {
  if (returns === undefined) return false
  const { $ref } = schemaOf(returns, 'output')
  const { properties = {} } = (typeof $ref === 'string' ? named[$ref.split('/').at(-1) ?? ''] : undefined) ?? {}
  return 'version' in (properties as Json)
}
