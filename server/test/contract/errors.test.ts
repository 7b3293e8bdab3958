import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { everyone } from '../../src/access/caller.ts'
import { route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { Tag } from '../../src/resources/tags/tags.ts'
import { assertRefused } from '../support/envelope.ts'
import { request, sendRaw } from '../support/raw.ts'
import { startServer } from '../support/world.ts'

const { base, port, newWorld } = await startServer()

const json = { 'content-type': 'application/json' }

/** POST /tags with a body as it stands. */
async function postRaw(body: string | Buffer, headers: Record<string, string> = json) {
  const { owner } = await newWorld()
  const { length } = Buffer.from(body)
  const all = { Authorization: `Bearer ${owner.key}`, 'Content-Length': String(length), ...headers }
  return sendRaw(port, Buffer.concat([Buffer.from(request('POST /api/v1/tags', all)), Buffer.from(body)]))
}

test('an unknown path gets 404, with a key or without, for any method and body', async () => {
  const { owner } = await newWorld()
  for (const path of ['/api', '/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1//tags', '/tags']) {
    assertRefused(await sendRaw(port, request(`GET ${path}`)), 404, 'not_found')
  }
  for (const path of ['/nothing', '/tags/1/2/3', '/Tags', `/tags/${randomUUID()}/nothing`]) {
    assertRefused(await owner.get(path), 404, 'not_found')
    assertRefused(await owner.post(path, '{', json), 404, 'not_found')
    assertRefused(await owner.post(path, 'x', { 'content-type': 'text/plain' }), 404, 'not_found')
  }
})

test('a wrong method on a known path gets 405 with Allow, with a key or without, for any body', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const wrong: [method: string, path: string, allow: string][] = [
    ['DELETE', '/tags', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', '/tags', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', `/tags/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', `/tags/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['GET', `/subtasks/${id}/finalize`, 'POST, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ]
  for (const [method, path, allow] of wrong) {
    const bodies = method === 'GET' ? [undefined] : [undefined, '{', '{}']
    for (const body of bodies) {
      const reply = await owner.call(method, path, body)
      assertRefused(reply, 405, 'method_not_allowed')
      assert.equal(reply.headers.get('allow'), allow)
    }
    assertRefused(await sendRaw(port, request(`${method} /api/v1${path}`)), 405)
  }
  assertRefused(await sendRaw(port, request('PROPFIND /api/v1/tags')), 405)
})

test('an HTTP/1.1 request without a Host gets 400, and one with an unknown Expect gets a response', async () => {
  assertRefused(await sendRaw(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'malformed_http')
  assert.equal((await sendRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
  assert.equal((await sendRaw(port, request('GET /healthz', { Expect: 'the unexpected' }))).status, 200)
})

test('a request with garbage after it gets its own response, and nothing comes after it', async () => {
  const { owner } = await newWorld()
  const body = JSON.stringify({ name: randomUUID() })
  const head = `POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.key}\r\n`
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const reply = await sendRaw(port, `${head}${length}${body}RUBBISH\r\n\r\n`)
  assert.deepEqual([reply.status, reply.headers.get('connection')], [201, 'close'])
  assert.deepEqual(reply.body, (await owner.get(`/tags/${reply.body.id}`)).body)
})

test('a body larger than 1 MiB gets 413, with its length announced or not', async () => {
  const { owner } = await newWorld()
  const large = JSON.stringify({ name: 'x'.repeat(1_048_577) })
  assertRefused(await owner.post('/tags', large), 413, 'body_too_large')
  const head = request('POST /api/v1/tags', {
    Authorization: `Bearer ${owner.key}`,
    'Content-Type': 'application/json',
    'Transfer-Encoding': 'chunked',
  })
  assertRefused(await sendRaw(port, `${head}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`), 413)
})

test('a URL longer than 8 KiB gets 414, in whichever part it is long', async () => {
  const { owner } = await newWorld()
  assertRefused(await owner.get(`/tags?x=${'x'.repeat(9_000)}`), 414, 'url_too_long')
  assertRefused(await owner.get(`/tags/${'x'.repeat(9_000)}`), 414, 'url_too_long')
})

test('headers larger than the server reads get 431', async () => {
  assertRefused(await sendRaw(port, request('GET /api/v1/tags', { 'X-Large': 'x'.repeat(40_000) })), 431)
})

test('a body that is not JSON by its Content-Type gets 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    'x',
    'text/json',
  ]) {
    assertRefused(await postRaw('{"name":"x"}', { 'content-type': type }), 415, 'unsupported_media_type')
  }
  assertRefused(await postRaw('{"name":"x"}', {}), 415, 'unsupported_media_type')
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8']) {
    assert.equal((await postRaw('{"name":"x"}', { 'content-type': type })).status, 201, type)
  }
})

test('malformed JSON gets 400', async () => {
  for (const body of [
    '{',
    '{"name":"x"',
    '{"name":"x",}',
    "{'name':'x'}",
    'name',
    '{"name":"x"}}',
    '{"n":01}',
    'NaN',
    ' ',
  ]) {
    assertRefused(await postRaw(body), 400, 'malformed_json')
  }
})

test('a body that is not UTF-8 gets 400', async () => {
  const bytes = [Buffer.from('{"name":"caf\xe9"}', 'latin1'), Buffer.from('{"name":"x"}', 'utf16le')]
  for (const body of [...bytes, Buffer.from([0xc0, 0x80])]) {
    assertRefused(await postRaw(body), 400, 'malformed_json')
  }
})

test('a body that nests deeper than 32 levels gets 400, at any depth', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  assertRefused(await postRaw(`{"name":${nested(31)}}`), 422)
  assertRefused(await postRaw(`{"name":${nested(32)}}`), 400, 'malformed_json')
  assertRefused(await postRaw(`{"name":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}`), 400, 'malformed_json')
  assertRefused(await postRaw('['.repeat(500_000)), 400, 'malformed_json')
  assert.equal((await postRaw(`{"name":${JSON.stringify('[{'.repeat(60))}}`)).status, 201)
})

test('a body with more than 50,000 values gets 400, but its texts can have as many characters of JSON syntax', async () => {
  const holding = (count: number, value = '[]') => `{"name":[${Array(count).fill(value)}]}`
  for (const value of ['[]', '{}', '1']) {
    assertRefused(await postRaw(holding(49_998, value)), 422)
    assertRefused(await postRaw(holding(49_999, value)), 400, 'malformed_json')
  }
  assertRefused(await postRaw(`{"name":${JSON.stringify(',[]{}"'.repeat(60_000))}}`), 422)
})

test('input that is not HTTP gets 400 in the envelope too', async () => {
  const garbage = ['hello\r\n\r\n', 'GET\r\n\r\n', 'GET /api/v1/tags HTTP/9.9\r\n\r\n', 'FLY / HTTP/1.1\r\n\r\n']
  const conflicting = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const bytes of [
    ...garbage,
    conflicting,
    'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
    '\x16\x03\x01\x02\x00',
  ]) {
    assertRefused(await sendRaw(port, bytes), 400)
  }
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
})

test('a client that hangs up in the middle of a request does no harm', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /api/v1/tags HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"na')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.destroy()
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
})

test('every response has X-Request-Id: the one that was sent if it is plain, or else a new one', async () => {
  const { owner } = await newWorld()
  for (const path of ['/tags', '/nothing', `/tags/${randomUUID()}`, '/tags/%zz']) {
    const sent = randomUUID()
    assert.equal((await owner.get(path, { 'x-request-id': sent })).headers.get('x-request-id'), sent, path)
  }
  for (const strange of ['a b', '<script>', 'x'.repeat(129), 'é']) {
    const id = (await owner.get('/tags', { 'x-request-id': strange })).headers.get('x-request-id') ?? ''
    assert.match(id, /^[0-9a-f-]{36}$/)
  }
  const [one, other] = [await owner.get('/tags'), await owner.get('/tags')]
  assert.notEqual(one.headers.get('x-request-id'), other.headers.get('x-request-id'))
})

test('a HEAD request gets the response of its GET, without a body', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const headers = { authorization: `Bearer ${owner.key}` }
  const read = await fetch(`${base}/api/v1/tags/${id}`, { method: 'HEAD', headers })
  assert.deepEqual([read.status, read.headers.get('etag'), await read.text()], [200, `"${id}.1"`, ''])
  const missing = await fetch(`${base}/api/v1/tags/${randomUUID()}`, { method: 'HEAD', headers })
  assert.deepEqual([missing.status, missing.headers.get('x-error-code'), await missing.text()], [404, 'not_found', ''])
})

test('an unhandled error gets 500, shows nothing of itself, and is logged in full', async () => {
  const fail = (): never => {
    throw new Error('relation "hush" does not exist', { cause: new Error('the cause of it') })
  }
  const failing = [
    route('GET /failing', { name: 'failing.get', summary: 'Fail', roles: everyone, returns: Tag, handle: fail }),
    route('POST /failing', { name: 'failing.create', summary: 'Fail', roles: everyone, returns: Tag, handle: fail }),
  ]
  const server = await startServer({ routes: [...routes, ...failing] })
  const { owner } = await server.newWorld()
  for (const method of ['GET', 'POST']) {
    const id = randomUUID()
    const reply = await owner.call(method, '/failing', undefined, { 'x-request-id': id })
    assertRefused(reply, 500, 'internal')
    assert.equal(reply.headers.get('x-request-id'), id)
    assert.ok(reply.text.includes(id), 'it names the request id to report')
    assert.ok(!/hush|relation|errors\.test/.test(reply.text))
    const line = server.logged.find((entry) => entry.includes(id) && entry.includes('unforeseen'))
    for (const part of ['relation \\"hush\\" does not exist', 'the cause of it', 'errors.test.ts']) {
      assert.ok(line?.includes(part), `the log says: ${part}`)
    }
  }
})
