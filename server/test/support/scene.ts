import assert from 'node:assert/strict'
import type { z } from 'zod'
import { operator } from '../../src/access/caller.ts'
import type { Db } from '../../src/db/db.ts'
import { Sql, sql } from '../../src/db/sql.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { type Field, published } from './published.ts'
import { bodiesOf, pathOf, type Things } from './sample-bodies.ts'
import { neededQueries, oneDeletedOfEach, oneOfEach } from './samples.ts'
import { type Api, created, operatorToken, type Reply, startServer, type World } from './world.ts'

/** Method and path of a route, as it is declared. */
export const lineOf = ({ method, path }: Route) => `${method} ${path}`

const idInPath = /([\w-]+)\/\{\w+\}/g

/** What the ids in a path name, in order. */
export const idsInPath = ({ path }: Route) => [...path.matchAll(idInPath)].map(([, noun = '']) => noun)

/** The fields of a body or a query, as they are published. */
export const fieldsOf = (schema?: z.ZodType): [name: string, field: Field][] =>
  Object.entries(published(schema).properties ?? {})

/** The words that the parameter of a route takes. */
export function wordsOf(route: Route, parameter: string): string[] {
  const [, field] = fieldsOf(route.query).find(([name]) => name === parameter) ?? []
  const [, known = ''] = /^\^\(([\w|]+)\)/.exec(field?.pattern ?? '') ?? []
  return known.split('|').filter((word) => word !== '')
}

/** Whether a field may hold the ids of something. */
export const holdsIds = ([, field]: [string, Field]) => JSON.stringify(field).includes('"format":"uuid"')

/** The parameters that are ids; a cursor looks like one and is none. */
export const idsInQuery = ({ query }: Route) =>
  fieldsOf(query)
    .filter((field) => holdsIds(field) && field[0] !== 'cursor')
    .map(([name]) => name)

/** The parameters of a list that are ids. */
export const idFiltersOf = (route: Route) => (route.method === 'GET' ? idsInQuery(route) : [])

const isErasure = ({ path }: Route) => path.endsWith('/erase')

const isOfAll = (route: Route) => lineOf(route) === 'DELETE /organization'

/**
 * All operations, in an order in which each finds what it needs: what is made first is taken away last, then erased, and then
 * the whole organization is deleted.
 */
export const inUsefulOrder = [
  ...routes.filter((route) => route.method !== 'DELETE' && !isErasure(route)),
  ...routes.filter((route) => route.method === 'DELETE' && !isOfAll(route)).toReversed(),
  ...routes.filter(isErasure),
  ...routes.filter(isOfAll),
]

/** What is asked with it so that it succeeds behind the others: the sample of its edit has named the organization so. */
export const asNamed = (route: Route): { query?: string } => (isOfAll(route) ? { query: '?name=Acme' } : {})

/** The real server, and scenes on which every route can be asked. */
export async function startScenes(overrides: Parameters<typeof startServer>[0] = {}) {
  const server = await startServer(overrides)
  const { body: document } = await server.api('').get('/openapi.json')

  /** Two organizations; in ours a plain member leads one project, of the other it must not even learn that it exists. */
  async function scene() {
    const [world, elsewhere] = [await server.newWorld(), await server.newWorld()]
    const [open, hidden, foreign] = [await oneOfEach(world), await oneOfEach(world), await oneOfEach(elsewhere)]
    const trash = await oneDeletedOfEach(world)
    open.organizations = await deletedOrganization(server.api)
    foreign.organizations = elsewhere.orgId
    await world.addToProject(open.projects ?? '', world.member, 'lead')
    const stranger = await world.join('Sam Stranger', 'member')
    const bodies = (route: Route) => (route.body ? bodiesOf(route, open, stranger) : [undefined])
    /** where a route is asked of what there is, or of what is told instead, and with what body */
    const requestOf = (route: Route, change: Change = {}) => {
      const things = { ...open, ...(route.deleted ? trash : {}), ...change.things }
      const path = pathOf(route, things)
      const body = 'body' in change ? change.body : bodies(route)[0]
      return { method: route.method, path: path + queryOf(route, change.query), body }
    }
    /** sends it, and holds the status to the document */
    const ask = async (as: Api, route: Route, change: Change = {}): Promise<Reply> => {
      const { method, path, body } = requestOf(route, change)
      const by = route.roles === operator && as === world.owner ? server.api(operatorToken) : as
      const reply = await by.call(method, path, body, change.headers)
      const { responses } = document.paths[`/api/v1${route.path}`][route.method.toLowerCase()]
      assert.ok(
        String(reply.status) in responses,
        `${lineOf(route)} answers ${reply.status}, undeclared: ${reply.text}`,
      )
      return reply
    }
    /** a body that is valid but for what the id in the field names */
    const naming = (route: Route, field: string, id: string) => {
      const value = field.endsWith('Ids') ? [id] : id
      const body = bodies(route)
        .map((sample) => ({ ...sample, [field]: value }))
        .find((candidate) => route.body?.safeParse(candidate).success)
      assert.ok(body, `${lineOf(route)} has no sample body that can hold ${field}`)
      return body
    }
    return { world, elsewhere, open, hidden, foreign, trash, requestOf, ask, bodies, naming }
  }
  return { ...server, scene }
}

/** One that its owner deleted, and that can be restored. */
async function deletedOrganization(api: (key: string) => Api): Promise<string> {
  const founding = { name: 'Gone', owner: { name: 'Olivia Owner', email: 'olivia@example.com' } }
  const { organization, apiKey } = await created(api(operatorToken).post('/organizations', founding))
  assert.equal((await api(apiKey.secret).delete('/organization?name=Gone')).status, 204)
  return organization.id
}

function queryOf(route: Route, query = ''): string {
  const needed = neededQueries[lineOf(route)]
  if (needed === undefined) return query
  return query === '' ? `?${needed}` : `${query}&${needed}`
}

interface Change {
  things?: Things
  body?: unknown
  query?: string
  headers?: Record<string, string>
}

/** All that a client sees of an answer but the id of the request and the time of day. */
export function bytes({ status, headers, text }: Reply) {
  const shown = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  return { status, headers: Object.fromEntries(shown), text }
}

/** All rows of some organizations; the use of a key is noted whenever it comes. */
export async function rowsOf(db: Db, ...worlds: World[]) {
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'org_id' order by table_name`)
  const read = ({ name }: { name: string }) => {
    const start = `select to_jsonb(t) - 'last_used_at' - 'version' as row from ${name} t where org_id = any(`
    return db.rows(new Sql([start, ') order by 1'], [worlds.map(({ orgId }) => orgId)]))
  }
  return Promise.all(tables.map(read))
}
