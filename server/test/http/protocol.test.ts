import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, detailsOf } from '../support/envelope.ts'
import { request, sendRaw } from '../support/raw.ts'
import { startServer } from '../support/world.ts'

const { port, logged, newWorld } = await startServer()

test('a request with two Hosts, or with one that names no host, gets 400', async () => {
  const sent = (lines: string[]) =>
    sendRaw(port, ['GET /healthz HTTP/1.1', 'Connection: close', ...lines, '', ''].join('\r\n'))
  assertRefused(await sent(['Host: one', 'Host: two']), 400, 'malformed_http')
  assertRefused(await sent(['Host: one', 'HOST: one']), 400, 'malformed_http')
  for (const host of ['a b', 'a/b', 'user@host', 'host:port', 'a,b?', '[::1', '[::1]x', '#']) {
    assertRefused(await sent([`Host: ${host}`]), 400, 'malformed_http')
  }
  for (const host of [
    '',
    'localhost',
    'LOCALHOST:3000',
    '127.0.0.1:',
    '[::1]:3000',
    'a_b.example',
    'xn--bcher-kva.example.',
  ]) {
    assert.equal((await sent([`Host: ${host}`])).status, 200, host)
  }
})

test('a header that may appear only once is refused when it appears twice: 400', async () => {
  const { owner } = await newWorld()
  const head = [
    'POST /api/v1/tags HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${owner.key}`,
  ]
  const twice = async (...lines: string[]) => sendRaw(port, [...head, ...lines, '', '{}'].join('\r\n'))
  assertRefused(await twice(`authorization: Bearer ${owner.key}`, 'Content-Length: 2'), 400, 'malformed_http')
  const types = ['Content-Type: application/json', 'Content-Type: text/plain']
  assertRefused(await twice(...types, 'Content-Length: 2'), 400, 'malformed_http')
})

test('no header is ever dropped: too many headers get 431, and of fewer the last one counts', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const patch = (fillers: number) => {
    const headers = Object.fromEntries(Array.from({ length: fillers }, (_, n) => [`x${n.toString(36)}`, '']))
    const all = {
      Authorization: `Bearer ${owner.key}`,
      'Content-Type': 'application/json',
      'Content-Length': '2',
      ...headers,
      'If-Match': '"99"',
    }
    return sendRaw(port, request(`PATCH /api/v1/tags/${id}`, all, '{}').replaceAll(': \r', ':\r'))
  }
  assertRefused(await patch(1_900), 412, 'etag_mismatch')
  assertRefused(await patch(2_100), 431, 'headers_too_large')
})

test('a body in another content coding or charset gets 415, which says what the server supports', async () => {
  const { owner } = await newWorld()
  const name = { name: 'x' }
  for (const coding of ['gzip', 'br', 'deflate, gzip', 'x']) {
    const reply = await owner.post('/tags', name, { 'content-encoding': coding })
    assertRefused(reply, 415, 'unsupported_media_type')
    assert.equal(reply.headers.get('accept-encoding'), 'identity')
  }
  for (const charset of ['utf-16', 'ISO-8859-1', '"latin1"', '""']) {
    const reply = await owner.post('/tags', name, { 'content-type': `application/json; charset=${charset}` })
    assertRefused(reply, 415, 'unsupported_media_type')
    assert.deepEqual([reply.headers.get('accept'), reply.headers.get('accept-encoding')], ['application/json', null])
  }
  const read = { 'content-encoding': 'Identity', 'content-type': 'application/json; version=1; charset="UTF-8"' }
  assert.equal((await owner.post('/tags', name, read)).status, 201)
})

test('a body is read if its Content-Type is JSON without another charset, in any spelling; otherwise it gets 415', async () => {
  const { owner } = await newWorld()
  const read = [
    ...['application/json', 'Application/JSON', 'application/json;', 'application/json ;charset=utf-8'],
    ...[
      'application/json;charset="utf-\\8"',
      'application/json; charset=utf-8; Charset=UTF-8',
      'application/json;\tq=1',
    ],
    ...[
      'application/json; a="b;charset=latin1"',
      'application/json; nocharset=latin1',
      'application/json; a; b="',
      'application/json; charset',
    ],
  ]
  const refused = [
    ...[
      'application/json\xa0;charset=utf-8',
      'application/json\xa0',
      'application/json, text/plain',
      'application/jsonx',
      'x',
    ],
    ...[
      'application/json; charset = latin1',
      'application/json; charset=utf-8; charset=latin1',
      'application/json;CHARSET=latin1',
    ],
    ...[
      'application/json; a="b"; charset=latin1',
      'application/json; a="; charset=latin1',
      'application/json; charset="utf-16',
    ],
    ...[
      'application/json; charset =latin1',
      'application/json; charset= latin1',
      'application/json; a=";"; charset=\xfc',
    ],
  ]
  const sent = (type: string) => {
    const body = JSON.stringify({ name: randomUUID() })
    const head = { Authorization: `Bearer ${owner.key}`, 'Content-Type': type, 'Content-Length': String(body.length) }
    return sendRaw(port, Buffer.from(request('POST /api/v1/tags', head, body), 'latin1'))
  }
  for (const type of read) assert.equal((await sent(type)).status, 201, type)
  for (const type of refused) assertRefused(await sent(type), 415, 'unsupported_media_type')
  assert.deepEqual(
    logged.filter((line) => line.includes('unforeseen')),
    [],
  )
})

test('an action accepts an empty body with any content type, content coding and framing', async () => {
  const { owner, project } = await newWorld()
  const path = `/projects/${(await project()).id}`
  const head = { Authorization: `Bearer ${owner.key}` }
  const headers = [
    ...['text/plain', 'application/x-www-form-urlencoded', 'x', '', 'application/json; charset=utf-16'].map((type) => ({
      'Content-Type': type,
    })),
    { 'Content-Encoding': 'gzip' },
  ]
  for (const typed of headers) {
    for (const framed of [{}, { 'Content-Length': '0' }, { 'Transfer-Encoding': 'chunked' }]) {
      const body = 'Transfer-Encoding' in framed ? '0\r\n\r\n' : ''
      for (const act of ['archive', 'unarchive']) {
        const sent = request(`POST /api/v1${path}/${act}`, { ...head, ...typed, ...framed }, body)
        assert.equal((await sendRaw(port, sent)).status, 200, sent)
      }
    }
  }
  const chunked = { ...head, 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }
  assertRefused(await sendRaw(port, request(`POST /api/v1${path}/archive`, chunked, '1\r\nx\r\n0\r\n\r\n')), 415)
})

test('names with a meaning in JavaScript are unknown fields in a bulk too', async () => {
  const { owner } = await newWorld()
  for (const field of ['__proto__', 'constructor', 'toString']) {
    const operation = `{"method":"POST","path":"/tags","body":{"name":"${randomUUID()}","${field}":{"color":"#ffffff"}}}`
    const { formErrors } = detailsOf(await owner.post('/bulk', `{"operations":[${operation}]}`))
    assert.deepEqual(formErrors, [`operations.0: Unknown field: ${field}`])
  }
  assert.equal((await owner.get('/tags')).body.total, 0)
})

test('names with a meaning in JavaScript are unknown parameters, given once or twice, in a bulk and alone', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    for (const query of [`${name}=x`, `${name}=x&${name}=y`, `%5F%5Fproto%5F%5F=x&${name}`]) {
      const path = `/tags/${id}?${query}`
      const alone = detailsOf(await owner.delete(path)).formErrors
      assert.ok(alone.includes(`Unknown parameter: ${name}`), query)
      const { formErrors } = detailsOf(await owner.post('/bulk', { operations: [{ method: 'DELETE', path }] }))
      assert.deepEqual(formErrors.toSorted(), alone.map((text) => `operations.0: ${text}`).toSorted())
    }
  }
  // a fragment, which clients leave out, is read as a query
  const head = { Authorization: `Bearer ${owner.key}` }
  const alone = detailsOf(await sendRaw(port, request(`DELETE /api/v1/tags/${id}#x`, head))).formErrors
  const operations = [{ method: 'DELETE', path: `/tags/${id}#x` }]
  const inside = detailsOf(await owner.post('/bulk', { operations })).formErrors
  assert.deepEqual([alone, inside], [['Unknown parameter: x'], ['operations.0: Unknown parameter: x']])
  assert.equal((await owner.get(`/tags/${id}`)).status, 200)
})
