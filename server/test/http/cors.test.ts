import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseHeaders } from '../../src/openapi/headers.ts'
import { assertRefused } from '../support/envelope.ts'
import { openStream } from '../support/event-streams.ts'
import { sharedServer, startServer } from '../support/world.ts'

const friend = 'https://app.example.com'
const stranger = 'https://evil.example.com'
const closed = await sharedServer()
const open = await startServer({ corsOrigins: [friend, 'http://localhost:5173'] })

const preflight = (base: string, origin: string, path = '/api/v1/tags') =>
  fetch(base + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match',
    },
  })

const listed = (headers: Headers, name: string) => (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/)

test('without CORS_ORIGINS, a page of another origin can read nothing', async () => {
  const { owner } = await closed.newWorld()
  for (const { headers } of [await owner.get('/tags', { origin: friend }), await preflight(closed.base, friend)]) {
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('a page of an origin in CORS_ORIGINS can call the API, and its preflight needs no key', async () => {
  for (const path of ['/api/v1/tags', '/api/v1/projects/00000000-0000-0000-0000-000000000000']) {
    const { status, headers } = await preflight(open.base, friend, path)
    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), friend)
    for (const method of ['get', 'post', 'patch', 'delete']) {
      assert.ok(listed(headers, 'access-control-allow-methods').includes(method), method)
    }
    const sent = ['authorization', 'x-api-key', 'content-type', 'idempotency-key', 'if-match', 'if-none-match']
    for (const name of [...sent, 'last-event-id'])
      assert.ok(listed(headers, 'access-control-allow-headers').includes(name), name)
  }
})

test('such a page can read the headers of a response, also of a refusal', async () => {
  const { owner } = await open.newWorld()
  const origin = { origin: friend }
  const replies = [
    await owner.get('/tags', origin),
    await owner.get('/nothing', origin),
    await owner.call('PUT', '/tags', undefined, origin),
    await open.api('tw_nobody').get('/tags', origin),
    await owner.post('/tags', '{', origin),
  ]
  // all that the document names of answers
  const exposed = Object.keys(responseHeaders).filter((name) => !name.startsWith('Access-Control'))
  assert.ok(exposed.includes('Dry-Run'))
  for (const { status, headers } of replies) {
    assert.equal(headers.get('access-control-allow-origin'), friend, String(status))
    assert.ok(listed(headers, 'vary').includes('origin'))
    for (const name of exposed)
      assert.ok(listed(headers, 'access-control-expose-headers').includes(name.toLowerCase()), name)
  }
})

test('a page of an origin that is not in CORS_ORIGINS can read nothing', async () => {
  const { owner } = await open.newWorld()
  for (const origin of [stranger, `${friend}.evil.com`, 'https://APP.example.com.', 'null', 'http://app.example.com']) {
    for (const { headers } of [await owner.get('/tags', { origin }), await preflight(open.base, origin)]) {
      assert.equal(headers.get('access-control-allow-origin'), null, origin)
    }
  }
})

test('no response lets a browser send credentials by itself', async () => {
  const { headers } = await preflight(open.base, friend)
  assert.equal(headers.get('access-control-allow-credentials'), null)
})

test('OPTIONS of a known path gets 204 with Allow, OPTIONS of an unknown path gets 404', async () => {
  const known = await fetch(`${closed.base}/api/v1/tags`, { method: 'OPTIONS' })
  assert.deepEqual([known.status, known.headers.get('allow')], [204, 'GET, HEAD, POST, OPTIONS'])
  const { owner } = await closed.newWorld()
  assertRefused(await owner.call('OPTIONS', '/nothing'), 404)
})

test('such a page can read a stream and its headers', async () => {
  const { owner } = await open.newWorld()
  const stream = await openStream(open.base, owner.key, { headers: { origin: friend } })
  assert.equal(stream.headers['access-control-allow-origin'], friend)
  assert.equal(stream.headers.vary?.toString().toLowerCase().includes('origin'), true)
  await stream.close()
})
