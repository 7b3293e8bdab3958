import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Authenticator } from '../../src/access/auth.ts'
import { readSubnet, type Subnet } from '../../src/contract/addresses.ts'
import { hold } from '../support/holding.ts'
import { openRaw, request, sendRaw } from '../support/raw.ts'
import { until } from '../support/until.ts'
import { databaseUrl, startServer } from '../support/world.ts'

const arrival = { requestMs: 1_000, restMs: 500 }
const { port, base, db, logged, newWorld } = await startServer({ arrival })
const trustedProxies = { who: [readSubnet('127.0.0.0/8') as Subnet], header: 'x-forwarded-for' as const }
const trusting = await startServer({ trustedProxies })

const linesOf = (lines: string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId !== undefined)
const told = (requestId: string) => linesOf(logged).filter((line) => line.requestId === requestId)
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

test('a client that leaves before the response makes one log line, also for requests waiting behind it, and one count', async (t) => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const held = await hold(t, databaseUrl, 'select 1 from tags where id = $1 for update', [id])
  const body = '{"name":"Other"}'
  const patch = (requestId: string) =>
    [
      `PATCH /api/v1/tags/${id} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${owner.key}`,
      `X-Request-Id: ${requestId}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
  const line = openRaw(port, patch('left.first') + patch('left.behind'))
  await held.waiters(2)
  line.leave()
  await until(() => told('left.behind').length > 0, 'It is not told of')
  await held.release()
  // they are done all the same
  await until(async () => (await owner.get(`/tags/${id}`)).body.version >= 2, 'It is not done')
  for (const requestId of ['left.first', 'left.behind']) {
    const [only, ...more] = told(requestId)
    assert.deepEqual(more, [])
    const { msg, method, route, status, address, memberId } = only
    assert.deepEqual(
      { msg, method, route, status, address, memberId },
      {
        msg: 'the connection closed before the answer',
        ...{ method: 'PATCH', route: '/api/v1/tags/:id', status: undefined },
        ...{ address: '127.0.0.1', memberId: owner.memberId },
      },
    )
  }
  const metrics = await (
    await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer the-token-of-the-operator' } })
  ).text()
  assert.match(metrics, /^http_requests_abandoned_total\{method="PATCH",route="\/api\/v1\/tags\/:id"\} 2$/m)
})

test('every refusal has one log line with its status: an unknown path, input that is not HTTP, and slow or long requests', async () => {
  const { owner } = await newWorld()
  const asked: [bytes: string, status: number][] = [
    [request('GET /nothing', { 'X-Request-Id': 'one.unknown' }), 404],
    [request('GET /api/v1/tags/%zz', { 'X-Request-Id': 'one.bad-url' }), 404],
    [request(`GET /api/v1/tags/${'x'.repeat(9_000)}`, { 'X-Request-Id': 'one.long-url' }), 414],
    [request('GET /api/v1/tags', { 'X-Request-Id': 'one.twice', host: 'two' }), 400],
    [
      request('POST /api/v1/tags', { ...bearer(owner.key), 'X-Request-Id': 'one.slow', 'Content-Length': '100' }, '{'),
      408,
    ],
  ]
  for (const [bytes, status] of asked) {
    assert.equal((await sendRaw(port, bytes)).status, status)
    const requestId = /X-Request-Id: (\S+)/.exec(bytes)?.[1] ?? ''
    await until(() => told(requestId).length > 0, `${requestId} has no line`)
    assert.deepEqual(
      told(requestId).map((line) => [line.msg, line.status, line.address]),
      [['answered', status, '127.0.0.1']],
    )
  }
  const { headers } = await sendRaw(port, 'no HTTP at all\r\n\r\n')
  const requestId = headers.get('x-request-id') ?? ''
  await until(() => told(requestId).length > 0, 'It has no line')
  const { msg, status, address } = told(requestId)[0]
  assert.deepEqual([msg, status, address], ['what is no request was refused', 400, '127.0.0.1'])
})

test('the address in the log is that of the connection, or the one that a trusted proxy gives', async () => {
  const ask = async (server: { base: string; logged: string[] }, requestId: string) => {
    const headers = {
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
      forwarded: 'for=192.0.2.1',
      'x-request-id': requestId,
    }
    await fetch(`${server.base}/healthz`, { headers })
    return until(() => linesOf(server.logged).find((line) => line.requestId === requestId)?.address, 'It has no line')
  }
  assert.equal(await ask({ base, logged }, 'address.untrusted'), '127.0.0.1')
  assert.equal(await ask(trusting, 'address.trusted'), '203.0.113.9')
})

test('a caller without a valid key is slowed down and queued by the address of a trusted proxy, and by no other', async () => {
  const seen: string[] = []
  class Attentive extends Authenticator {
    override member(...[headers, from]: Parameters<Authenticator['member']>) {
      seen.push(from)
      return super.member(headers, from)
    }
  }
  const authenticator = new Attentive(db, undefined, () => {})
  const [strict, believing] = [
    await startServer({ authenticator }),
    await startServer({ authenticator, trustedProxies }),
  ]
  for (const server of [strict, believing]) {
    for (const path of ['/api/v1/me', '/mcp']) {
      const headers = { authorization: 'Bearer tw_none', 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }
      const method = path === '/mcp' ? 'POST' : 'GET'
      assert.equal((await fetch(server.base + path, { method, headers })).status, 401)
    }
  }
  assert.deepEqual(seen, ['127.0.0.1', '127.0.0.1', '203.0.113.9', '203.0.113.9'])
})
