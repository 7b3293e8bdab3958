import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '../../src/operations/route.ts'
import { asNamed, inUsefulOrder, lineOf, rowsOf, startScenes } from '../support/scene.ts'
import type { Reply } from '../support/world.ts'

const { db, scene } = await startScenes()

interface Asked {
  route: Route
  reply: Reply
  sentMs: number
  answeredMs: number
}

/** Every operation with what it answered, asked one after the other in one scene. */
async function askAll(): Promise<Asked[]> {
  const { ask, world } = await scene()
  const all: Asked[] = []
  for (const route of inUsefulOrder) {
    const sentMs = Date.now()
    const reply = await ask(world.owner, route, asNamed(route))
    assert.ok(reply.status < 300, `${lineOf(route)}: ${reply.text}`)
    all.push({ route, reply, sentMs, answeredMs: Date.now() })
  }
  return all
}

const asked = await askAll()
const readAt = new Map(
  asked.filter(({ route }) => route.method === 'GET').map((one) => [one.route.path, one.reply.body]),
)

/** A POST to a list makes what the list holds; these make something too. */
const alsoCreating = ['/organizations', '/members/{id}/invite', '/api-keys/{id}/rotate', '/timer/start']
const creates = ({ method, path }: Route) => method === 'POST' && (readAt.has(path) || alsoCreating.includes(path))

test('a creation gets 201 with Location, a deletion 204 without a body, and everything else 200', () => {
  for (const { route, reply } of asked) {
    const { status, headers, text } = reply
    const wanted = creates(route) ? 201 : route.method === 'DELETE' ? 204 : 200
    assert.equal(status, wanted, lineOf(route))
    assert.equal(headers.get('location')?.startsWith('/api/v1/') ?? false, wanted === 201, lineOf(route))
    assert.equal(text === '', wanted === 204, lineOf(route))
  }
})

test('a created resource shows the time of its creation, and still shows it after an update', () => {
  const created = asked.filter(({ route }) => creates(route))
  for (const { route, reply, sentMs, answeredMs } of created) {
    const { organization = reply.body } = reply.body
    const createdMs = Date.parse(organization.createdAt)
    assert.ok(sentMs <= createdMs && createdMs <= answeredMs, `${lineOf(route)}: ${organization.createdAt}`)
  }
  const edited = asked.filter(({ route }) => route.method === 'PATCH')
  for (const { route, reply } of edited)
    assert.equal(reply.body.createdAt, readAt.get(route.path).createdAt, lineOf(route))
  assert.ok(created.length >= 10 && edited.length >= 10)
})

test('every id in a response is a lower-case UUID, every date-time is in UTC with milliseconds', () => {
  const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  let [ids, moments] = [0, 0]
  for (const { route, reply } of asked) {
    for (const [name, value] of textsIn(reply.body)) {
      // the client may have made that of a request
      const isId = /^id$|Ids?$/.test(name) && name !== 'requestId'
      const isMoment = name.endsWith('At')
      if (isId) assert.match(value, id, `${lineOf(route)} ${name}`)
      if (isMoment) assert.match(value, moment, `${lineOf(route)} ${name}`)
      ids += Number(isId)
      moments += Number(isMoment)
    }
  }
  assert.ok(ids > 200 && moments > 200, `${ids} ids, ${moments} moments`)
})

/** Every text within an answer under the name of its field; those of a list, and both sides of a change, under its name. */
function* textsIn(value: unknown, name = ''): Generator<[name: string, text: string]> {
  if (typeof value === 'string') yield [name, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield* textsIn(inner, Array.isArray(value) || key === 'from' || key === 'to' ? name : key)
  }
}

test('every GET, PATCH and DELETE can be sent again: the second time changes nothing more', async () => {
  const { ask, world } = await scene()
  for (const route of inUsefulOrder.filter(({ method }) => method !== 'POST')) {
    const first = await ask(world.owner, route, asNamed(route))
    assert.ok(first.status < 300, `${lineOf(route)}: ${first.text}`)
    const before = lasting(await rowsOf(db, world))
    const { status } = await ask(world.owner, route, asNamed(route))
    // who deletes the organization has no key any more
    const gone = route.path === '/organization' ? 401 : 404
    assert.ok(status === first.status || (route.method === 'DELETE' && status === gone), `${lineOf(route)}: ${status}`)
    assert.deepEqual(lasting(await rowsOf(db, world)), before, lineOf(route))
  }
})

/** Rows without what says only that somebody edited them: version, moment, what is kept of both, events. */
const lasting = (tables: Awaited<ReturnType<typeof rowsOf>>) =>
  tables.map((rows) =>
    (rows as { row: Record<string, unknown> }[])
      .map(({ row: { updated_at, shown, ...row } }) => row)
      .filter((row) => !('sequence' in row || 'last_sequence' in row)),
  )
