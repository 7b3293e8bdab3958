import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PreconditionFailedError,
  Taskwright,
  type TaskwrightError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
} from '../src/index.ts'
import { pauseMsAfter } from '../src/retries.ts'
import { fakeServer, type Reaction } from './support/fake-server.ts'
import { rejection } from './support/rejection.ts'

const refusal = (status: number, headers: Record<string, string> = {}): Reaction => [
  status,
  { error: 'Not now' },
  { 'x-error-code': 'not_now', ...headers },
]
const clientOf = (baseUrl: string, more: object = {}) => new Taskwright({ baseUrl, apiKey: 'tw_key', ...more })
const body = { name: 'Red' }
const brokenOff: Reaction = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
  response.write('{"name":', () => response.destroy())
}

/** As a proxy passes it on that was cut off before the body. */
const emptied: Reaction = [200, undefined, { 'content-type': 'application/json' }]

test('a request without a response, or with a temporary refusal, is sent again unchanged: a POST with its key', async (t) => {
  const failures: Reaction[] = [
    'cut',
    brokenOff,
    emptied,
    ...[408, 429, 502, 503, 504].map((status) => refusal(status)),
  ]
  const calls = failures.flatMap((failure) => ['GET', 'POST', 'PATCH', 'DELETE'].map((method) => ({ failure, method })))
  const answered = calls.map(async ({ failure, method }) => {
    const { base, asked } = await fakeServer(t, failure, [200, { done: true }])
    const options = method === 'GET' || method === 'DELETE' ? {} : { body }
    assert.deepEqual(await clientOf(base).request(method, '/tags', options), { done: true })
    const [first, second] = asked.map(({ atMs, ...one }) => one)
    assert.deepEqual(first, second)
    assert.equal(asked.length, 2)
    const key = first?.headers['idempotency-key']
    assert.match(String(key), method === 'POST' ? /^[0-9a-f]{32}$/ : /^undefined$/)
  })
  await Promise.all(answered)
})

test('a final refusal is sent once, above all 409, which means that the key was used for something else', async (t) => {
  for (const status of [400, 401, 403, 404, 405, 409, 412, 413, 414, 415, 422, 431, 500, 501]) {
    const { base, asked } = await fakeServer(t, refusal(status), [200, {}])
    const error = await rejection(clientOf(base).request('POST', '/tags', { body }), ApiError)
    assert.equal(error.status, status)
    assert.equal(asked.length, 1, String(status))
    assert.equal(error.idempotencyKey, asked[0]?.headers['idempotency-key'])
  }
})

test('each POST has its own key, unless it is given one', async (t) => {
  const { base, asked } = await fakeServer(t, [201, {}])
  const tw = clientOf(base)
  for (let i = 0; i < 2; i++) await tw.request('POST', '/tags', { body })
  await tw.request('POST', '/tags', { body, idempotencyKey: 'mine' })
  await tw.request('POST', '/tags', { body, headers: { 'Idempotency-Key': 'ours' } })
  const keys = asked.map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys).size, 4)
  assert.deepEqual(keys.slice(2), ['mine', 'ours'])
})

test('the client gives up after the allowed attempts, with the key and whether the write may have been done', async (t) => {
  const { base, asked } = await fakeServer(t, 'cut', refusal(429), refusal(503))
  const error = await rejection(clientOf(base, { retries: 2 }).request('POST', '/tags', { body }), UnavailableError)
  assert.equal(asked.length, 3)
  assert.equal(error.idempotencyKey, asked[0]?.headers['idempotency-key'])
  assert.equal(error.mayBeDone, true)
  const refused = await fakeServer(t, refusal(429))
  const once = await rejection(
    clientOf(refused.base).request('POST', '/tags', { body, retries: 0 }),
    TooManyRequestsError,
  )
  assert.equal(refused.asked.length, 1)
  assert.equal(once.mayBeDone, false)
  const gone = await fakeServer(t, 'cut')
  for (const [method, options, mayBeDone] of [
    ['GET', {}, false],
    ['POST', { dryRun: true }, false],
    ['POST', {}, true],
    ['PATCH', { body }, true],
    ['DELETE', {}, true],
  ] as const) {
    const lost = await rejection(
      clientOf(gone.base).request(method, '/tags', { ...options, retries: 0 }),
      ConnectionError,
    )
    assert.deepEqual([method, lost.mayBeDone], [method, mayBeDone])
  }
})

test('a stored response of a key proves what the first attempt did, so nothing is uncertain', async (t) => {
  for (const [status, Class] of [
    [400, BadRequestError],
    [409, ConflictError],
    [412, PreconditionFailedError],
  ] as const) {
    const { base } = await fakeServer(t, 'cut', refusal(status))
    const error = await rejection<TaskwrightError>(clientOf(base).request('POST', '/tags', { body }), Class)
    assert.equal(error.mayBeDone, false)
  }
})

test('an update with ifMatch and a lost response gets 412, which says that the first attempt may have done it', async (t) => {
  const options = { body, ifMatch: '"1"' }
  const lost = await fakeServer(t, 'cut', refusal(412))
  const error = await rejection(clientOf(lost.base).request('PATCH', '/tags/1', options), PreconditionFailedError)
  assert.equal(error.mayBeDone, true)
  const told = await fakeServer(t, refusal(429), refusal(412))
  const certain = await rejection(clientOf(told.base).request('PATCH', '/tags/1', options), PreconditionFailedError)
  assert.equal(certain.mayBeDone, false)
})

test('a deletion with a lost response is done when the next attempt finds nothing', async (t) => {
  const missing: Reaction = [404, { error: 'Not found' }, { 'x-error-code': 'not_found' }]
  for (const failure of ['cut', refusal(503), refusal(504)] as Reaction[]) {
    const { base, asked } = await fakeServer(t, failure, missing)
    assert.equal(await clientOf(base).request('DELETE', '/tags/1'), undefined)
    assert.equal(asked.length, 2)
  }
  for (const reactions of [[missing], [refusal(429), missing]]) {
    const { base } = await fakeServer(t, ...reactions)
    await rejection(clientOf(base).request('DELETE', '/tags/1'), NotFoundError)
  }
  const dry = await fakeServer(t, 'cut', missing)
  await rejection(clientOf(dry.base).request('DELETE', '/tags/1', { dryRun: true }), NotFoundError)
})

test('the client waits for Retry-After, in seconds or until a date; a long wait is reported at once', async (t) => {
  const inASecond = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000)
  const { base, asked } = await fakeServer(
    t,
    refusal(429, { 'retry-after': '1' }),
    refusal(503, { 'retry-after': inASecond.toUTCString() }),
    [200, {}],
  )
  await clientOf(base).request('GET', '/tags')
  const [first = 0, second = 0] = asked.map(({ atMs }) => atMs)
  assert.ok(second - first >= 999)
  assert.ok(Date.now() >= inASecond.getTime())
  const long = await fakeServer(t, refusal(429, { 'retry-after': '3600' }))
  const error = await rejection(clientOf(long.base).request('GET', '/tags'), TooManyRequestsError)
  assert.equal(error.retryAfterMs, 3_600_000)
  assert.equal(long.asked.length, 1)
})

test('pauses grow and are random, so that clients that were cut off together do not come back together', () => {
  for (const [failures, longestMs] of [
    [0, 500],
    [1, 1_000],
    [4, 8_000],
    [40, 8_000],
  ] as const) {
    const pauses = Array.from({ length: 1_000 }, () => pauseMsAfter(undefined, failures, 500, 8_000))
    assert.ok(Math.max(...pauses) <= longestMs && Math.max(...pauses) > 0.9 * longestMs)
    assert.ok(Math.min(...pauses) >= 0 && Math.min(...pauses) < 0.1 * longestMs)
  }
})

test('each attempt has its own timeout', async (t) => {
  const { base, asked } = await fakeServer(t, 'silence')
  const late = clientOf(base, { timeoutMs: 100 }).request('POST', '/tags', { body, retries: 1 })
  const error = await rejection(late, TimeoutError)
  assert.equal(error.message, `No response from ${base} within 100 ms`)
  assert.equal(error.mayBeDone, true)
  // on a busy machine an attempt may be over before it arrives
  assert.ok(asked.length <= 2 && asked.every(({ headers }) => headers['idempotency-key'] === error.idempotencyKey))
  const patient = await fakeServer(t, [201, {}])
  assert.deepEqual(await clientOf(patient.base).request('GET', '/tags', { timeoutMs: Number.POSITIVE_INFINITY }), {})
  // the time is for the body too
  const slow = await fakeServer(t, (response) => void response.writeHead(200).write('{'))
  await rejection(clientOf(slow.base).request('GET', '/tags', { timeoutMs: 50, retries: 0 }), TimeoutError)
})

test('a signal ends a call at once, whatever it waits for, with its reason', async (t) => {
  const { base, asked } = await fakeServer(t, 'silence', refusal(503, { 'retry-after': '60' }))
  const reason = new Error('Enough')
  for (const reached of [1, 2]) {
    const controller = new AbortController()
    const call = clientOf(base).request('POST', '/tags', { body, signal: controller.signal })
    call.catch(() => {})
    const calls = () => asked.filter(({ method }) => method === 'POST').length
    while (calls() < reached) await new Promise(setImmediate)
    // the second one is answered by now, and waits
    await fetch(base).catch(() => {})
    controller.abort(reason)
    assert.equal(await rejection(call, Error), reason)
  }
  const before = asked.length
  const over = AbortSignal.abort(reason)
  assert.equal(await rejection(clientOf(base).request('GET', '/tags', { signal: over }), Error), reason)
  assert.equal(asked.length, before)
})

test('a signal that many calls share keeps nothing of finished calls', async (t) => {
  const { base } = await fakeServer(t, refusal(503), [200, {}])
  const { signal } = new AbortController()
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  const tw = clientOf(base)
  await Promise.all(Array.from({ length: 50 }, () => tw.request('GET', '/tags', { signal })))
  assert.ok(getEventListeners(signal, 'abort').length <= 1)
  await new Promise(setImmediate)
  assert.deepEqual(warnings, [])
})

test('a fetch that ignores signals ends in time all the same', async () => {
  const fetch = () => new Promise<Response>(() => {})
  const tw = clientOf('http://127.0.0.1:1', { fetch, retries: 0 })
  await rejection(tw.request('GET', '/tags', { timeoutMs: 20 }), TimeoutError)
  await assert.rejects(tw.request('GET', '/tags', { signal: AbortSignal.timeout(20) }), DOMException)
})
