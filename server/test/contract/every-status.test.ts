import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { everyone } from '../../src/access/caller.ts'
import { route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { Tag } from '../../src/resources/tags/tags.ts'
import { assertRefused } from '../support/envelope.ts'
import { hold } from '../support/holding.ts'
import { request, sendRaw } from '../support/raw.ts'
import { type Api, databaseUrl, type Reply, startServer, type World } from '../support/world.ts'

const fail = (): never => {
  throw new Error('nobody foresaw this')
}
const failing = route('GET /failing', {
  name: 'failing.get',
  summary: 'Fail',
  roles: everyone,
  returns: Tag,
  handle: fail,
})
const { api, port, newWorld } = await startServer({ routes: [...routes, failing], lockTimeoutMs: 200 })
const hasty = await startServer({ arrival: { requestMs: 300, restMs: 100 } })
const limited = await startServer({ rateLimit: { requests: 1, windowMs: 3_600_000 } })

/** What somebody sends who would rather have anything else than JSON in English. */
const wishes = { accept: 'text/html', 'accept-language': 'de' }
const wishful = ({ call }: Api): Api['call'] => {
  return (method, path, body, headers) => call(method, path, body, { ...wishes, ...headers })
}

type Send = Api['call']

/** A request for each status that is no success; `held` holds a lock that it would need. */
const refused: Record<
  number,
  (send: Send, world: World, held: (projectId: string) => Promise<unknown>) => Promise<Reply>
> = {
  400: (send) => send('POST', '/tags', '{'),
  401: () => wishful(api('tw_nobody'))('GET', '/tags'),
  403: (_, { member }) => wishful(member)('POST', '/projects', { name: 'x' }),
  404: (send) => send('GET', `/tags/${randomUUID()}`),
  405: (send) => send('PUT', '/tags'),
  408: () => sendRaw(hasty.port, 'GET /api/v1/tags HTTP/1.1\r\nAccept: text/html\r\nHo'),
  409: async (send) => {
    const key = { 'idempotency-key': 'k' }
    await send('POST', '/tags', { name: 'x' }, key)
    return send('POST', '/tags', { name: 'y' }, key)
  },
  412: async (send, { project, workspace }) => {
    const { id: workspaceId } = await workspace({ stages: [] })
    return send('POST', '/tasks', { name: 'x', projectId: (await project()).id, workspaceId })
  },
  413: (send) => send('POST', '/tags', { name: 'x'.repeat(1_048_577) }),
  414: (send) => send('GET', `/tags?x=${'x'.repeat(9_000)}`),
  415: (send) => send('POST', '/tags', 'name=x', { 'content-type': 'text/plain' }),
  422: (send) => send('POST', '/tags', {}),
  429: async (_, { owner }) => {
    const send = wishful(limited.api(owner.key))
    await send('GET', '/tags')
    return send('GET', '/tags')
  },
  431: () => sendRaw(port, request('GET /api/v1/tags', { Accept: 'text/html', X: 'x'.repeat(40_000) })),
  500: (send) => send('GET', '/failing'),
  503: async (send, { project }, held) => {
    const { id: projectId } = await project()
    await held(projectId)
    return send('POST', '/tasks', { name: 'x', projectId })
  },
}

test('every error status has the one envelope, with details only on 422', async (t) => {
  const { body: document } = await api('').get('/openapi.json')
  const declared = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations as object))
    .flatMap(({ responses }) => Object.keys(responses))
    .filter((status) => Number(status) >= 400)
  assert.deepEqual(
    declared.filter((status) => !(status in refused)),
    [],
  )
  for (const [status, ask] of Object.entries(refused)) {
    const world = await newWorld()
    const held = (id: string) => hold(t, databaseUrl, 'select from projects where id = $1 for update', [id])
    assertRefused(await ask(wishful(world.owner), world, held), Number(status))
  }
})
