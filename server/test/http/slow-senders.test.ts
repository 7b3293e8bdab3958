import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/envelope.ts'
import { openRaw, request, sendRaw } from '../support/raw.ts'
import { inTime } from '../support/until.ts'
import { startServer } from '../support/world.ts'

const arrival = { requestMs: 1_000, restMs: 500 }
const { port, newWorld } = await startServer({ arrival })

/** The beginning of a POST whose body does not come to its end. */
const half = (key: string, type = 'application/json') =>
  `POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"na`

test('a request that takes too long to arrive gets 408, no later in its body than in its headers', async () => {
  const { owner } = await newWorld()
  const timed = async (bytes: string) => {
    const begunMs = performance.now()
    assertRefused(await inTime(sendRaw(port, bytes), 'It is not refused'), 408, 'request_timeout')
    return performance.now() - begunMs
  }
  const ratio = async () => {
    const body = half(owner.key)
    const [inHeaders, inBody] = await Promise.all([timed('GET /healthz HTTP/1.1\r\nHo'), timed(body)])
    return inBody / inHeaders
  }
  // the machine may stand still between the two, but hardly each time
  const ratios = [await ratio()]
  while (ratios.length < 5 && Math.min(...ratios) > 1.5) ratios.push(await ratio())
  assert.ok(Math.min(...ratios) < 1.5, `${ratios}`)
})

test('a client that got a response before its body arrived gets nothing more, and the connection is closed soon', async () => {
  const { owner } = await newWorld()
  const early: [bytes: string, status: number][] = [
    [half('tw_nobody'), 401],
    [half(owner.key).replace('/tags', '/nothing'), 404],
    [half(owner.key).replace('POST', 'PUT'), 405],
    [half(owner.key).replace('100', '2000000'), 413],
    [half(owner.key).replace('Host: localhost\r\n', ''), 400],
  ]
  await Promise.all(
    early.map(async ([bytes, status]) => {
      const { answers } = await inTime(openRaw(port, bytes).ended, 'The connection stays open')
      assert.deepEqual(answers, [status])
    }),
  )
})

test('a broken body after a response gets none', async () => {
  const chunked = half('tw_nobody')
    .replace('Content-Length: 100', 'Transfer-Encoding: chunked')
    .replace('{"na', '4\r\n{"na')
  const line = openRaw(port, chunked)
  await line.answered
  line.write('\r\nnothing like a length\r\n')
  assert.deepEqual((await inTime(line.ended, 'The connection stays open')).answers, [401])
})

test('a body that arrives after its refusal is skipped, and the next request on the connection gets a response', async () => {
  // what was sent is read in time on a busy machine too
  const { port } = await startServer({ arrival: { ...arrival, restMs: 10_000 } })
  const line = openRaw(port, half('tw_nobody'))
  await line.answered
  line.write(`${'x'.repeat(96)}${request('GET /healthz')}`)
  assert.deepEqual((await inTime(line.ended, 'The connection stays open')).answers, [401, 200])
})

test('a request has 30 s to arrive, and the rest of one that got its response earlier has 5 s', async (t) => {
  const { app, port } = await startServer()
  assert.deepEqual([app.server.requestTimeout, app.server.headersTimeout], [30_000, 30_000])
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = openRaw(port, half('tw_nobody'))
  let isClosed = false
  void line.ended.then(() => {
    isClosed = true
  })
  await line.answered
  // once the next one is answered, the time of this one has begun
  const passes = async (ms: number) => {
    assert.equal((await sendRaw(port, request('GET /healthz'))).status, 200)
    t.mock.timers.tick(ms)
    await sendRaw(port, request('GET /healthz'))
  }
  await passes(4_999)
  assert.equal(isClosed, false)
  await passes(1)
  // not after the 30 s
  for (let n = 0; n < 20 && !isClosed; n++) await passes(0)
  assert.ok(isClosed)
})
