import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Compress, createCompression } from '../../src/http/compression.ts'
import { drain } from '../../src/http/draining.ts'
import { trackConnections } from '../../src/http/sockets.ts'
import { routes } from '../../src/resources/index.ts'
import { ask, decoded } from '../support/encoded.ts'
import { openStream } from '../support/event-streams.ts'
import { openRaw, request } from '../support/raw.ts'
import { until } from '../support/until.ts'
import { created, operatorToken, startServer } from '../support/world.ts'

const friend = 'https://app.example.com'
const { base, port, newWorld } = await startServer()
const world = await newWorld()
const { owner } = world
const api = `${base}/api/v1`
const authorization = `Bearer ${owner.key}`
const { id: projectId } = await world.project()
const tasks = await Promise.all(
  Array.from({ length: 30 }, (_, n) => world.task({ projectId, name: `Task ${n}`, description: words(n) })),
)
await world.keysUsed()
const one = `/tasks/${tasks[0]?.id}`
// 29 kB, and 174 kB, which is compressed beside the event loop
const [page, longPage] = ['/tasks?limit=5', '/tasks']

/** 5,000 characters that say little, but not always the same. */
function words(seed: number): string {
  let state = seed + 1
  return Array.from({ length: 850 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return state.toString(36).slice(-5)
  }).join(' ')
}

const get = (path: string, accepted?: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(
    api + path,
    { authorization, ...headers, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) },
    method,
  )

test('long bodies are compressed with gzip for clients that accept it, and have the same content', async () => {
  const plain = { [page]: await get(page), [longPage]: await get(longPage), [one]: await get(one) }
  for (const [path, { headers, text }] of Object.entries(plain)) {
    assert.deepEqual([headers['content-encoding'], headers['content-length']], [undefined, String(text.length)], path)
    const answer = await get(path, 'gzip')
    assert.equal(answer.headers['content-encoding'], 'gzip', path)
    assert.equal(answer.headers['content-length'], String(answer.bytes.length))
    assert.equal(answer.headers['transfer-encoding'], undefined)
    assert.ok(answer.bytes.length < 0.8 * text.length)
    assert.equal(answer.text, text)
  }
})

test('a CSV report, a created resource and the metrics are compressed too', async () => {
  await Promise.all(tasks.map(({ id: taskId }) => world.timeEntry({ taskId })))
  const report = `/reports/time?groupBy=task`
  const csv = await get(report, 'gzip', { accept: 'text/csv' })
  assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
  assert.equal(csv.headers['content-encoding'], 'gzip')
  assert.equal(csv.text, (await get(report, undefined, { accept: 'text/csv' })).text)
  const headers = { authorization, 'content-type': 'application/json', 'accept-encoding': 'gzip' }
  const made = await ask(`${api}/tasks`, headers, 'POST', { projectId, name: 'New', description: words(1_000) })
  assert.deepEqual(
    [made.status, made.headers['content-encoding'], made.headers.etag],
    [201, 'gzip', `"${JSON.parse(made.text).id}.1-gzip"`],
  )
  const metrics = await ask(`${base}/metrics`, { authorization: `Bearer ${operatorToken}`, 'accept-encoding': 'gzip' })
  assert.equal(metrics.headers['content-encoding'], 'gzip')
  assert.match(metrics.text, /^http_compression_in_bytes_total \d+$/m)
  assert.match(metrics.text, /^http_compression_out_bytes_total \d+$/m)
})

test('a short body is never compressed', async () => {
  for (const path of ['/me', '/tags', '/organization', '/tasks/nothing']) {
    const { headers } = await get(path, 'gzip, br, zstd')
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, varyingByCaller], path)
  }
})

test('a body is compressed if the client prefers gzip at least as much as no encoding', async () => {
  const wanted: [accepted: string, encoding: string | undefined][] = [
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=0.9, gzip;q=0.1', 'gzip'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0.1, identity;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br, zstd', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0', undefined],
    ['deflate, compress, x-unknown', undefined],
    ['', undefined],
    [';;;,,q=1;=', undefined],
    ['gzip;q=much', undefined],
    [`${'x, '.repeat(2_000)}gzip`, undefined],
  ]
  for (const [accepted, encoding] of wanted) {
    const answer = await get(page, accepted)
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [200, encoding], accepted)
  }
  const twice = await ask(api + page, { authorization, 'accept-encoding': ['identity;q=0.1', 'gzip'] })
  assert.equal(twice.headers['content-encoding'], 'gzip')
})

const varyingByCaller = 'authorization, x-api-key, cookie, x-organization, accept, origin'
const varying = `${varyingByCaller}, accept-encoding`

test('Vary names Accept-Encoding whenever it decided, also for clients that accept none, beside the other headers', async () => {
  for (const accepted of [undefined, 'identity', 'gzip']) {
    for (const path of [page, '/reports/time?groupBy=task'])
      assert.equal((await get(path, accepted)).headers.vary, varying)
  }
  const { etag = '' } = (await get(one)).headers
  assert.match((await get(one, 'gzip', { 'if-none-match': etag })).headers.vary ?? '', /accept-encoding/)
  const open = await startServer({ corsOrigins: [friend] })
  const { headers } = await ask(`${open.base}/api/v1${page}`, {
    authorization,
    origin: friend,
    'accept-encoding': 'gzip',
  })
  assert.deepEqual(
    [headers['access-control-allow-origin'], headers['content-encoding'], headers.vary],
    [friend, 'gzip', varying],
  )
})

test('HEAD returns the headers of GET, without a body', async () => {
  for (const path of [page, longPage, one]) {
    const [{ headers }, head] = [await get(path, 'gzip'), await get(path, 'gzip', {}, 'HEAD')]
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    for (const name of ['content-length', 'content-encoding', 'etag', 'vary', 'content-type']) {
      assert.equal(head.headers[name], headers[name], `${path} ${name}`)
    }
  }
})

test('a compressed body has its own ETag, and both ETags stand for the version that the client read', async () => {
  const task = await created(owner.post('/tasks', { projectId, name: 'Edited', description: words(7) }))
  const path = `/tasks/${task.id}`
  const patch = (etag: string, priority: string) => owner.patch(path, { priority }, { 'if-match': etag })
  const read = await get(path, 'gzip')
  const state = `${task.id}.${JSON.parse(read.text).version}`
  const { etag = '' } = read.headers
  assert.deepEqual([etag, (await get(path)).headers.etag], [`"${state}-gzip"`, `"${state}"`])
  for (const known of [etag, `W/${etag}`, `"0", ${etag}`]) {
    const again = await get(path, 'gzip', { 'if-none-match': known })
    assert.deepEqual([again.status, again.headers.etag, again.bytes.length], [304, etag, 0], known)
  }
  // what it has is none that it accepts now
  assert.equal((await get(path, 'identity', { 'if-none-match': etag })).status, 200)
  // the version as it is was never compressed, and is as good
  assert.equal((await get(path, 'gzip', { 'if-none-match': `"${state}"` })).headers.etag, `"${state}"`)
  assert.equal((await get(path, 'gzip', { 'if-match': etag })).status, 200)
  for (const wrong of [`W/${etag}`, `"${state}0-gzip"`, `"${state}-deflate"`, `"${state}-gzip-gzip"`]) {
    assert.equal((await patch(wrong, 'urgent')).status, 412, wrong)
  }
  assert.equal((await patch(etag, 'high')).status, 200)
  assert.equal((await patch(etag, 'urgent')).status, 412)
  assert.equal((await get(path, 'gzip', { 'if-none-match': etag })).status, 200)
})

test('fetch and curl --compressed get the same content, and can update what they read', async () => {
  const response = await fetch(api + one, { headers: { authorization } })
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  const { version } = (await response.json()) as { version: number }
  const edit = await owner.patch(one, { priority: 'low' }, { 'if-match': response.headers.get('etag') ?? '' })
  assert.deepEqual([edit.status, edit.body.version], [200, version + 1])
  const curl = ['-s', '--compressed', '-D', '-', '-H', `Authorization: ${authorization}`, api + one]
  const { stdout } = await promisify(execFile)('curl', curl)
  const [head = '', text = ''] = stdout.split(/\r\n\r\n([\s\S]*)/)
  const tag = /^etag: (.+)$/im.exec(head)?.[1]?.trim() ?? ''
  assert.match(head, /^content-encoding: \w+/im)
  assert.deepEqual(JSON.parse(text), edit.body)
  assert.equal((await owner.patch(one, { priority: 'high' }, { 'if-match': tag })).status, 200)
})

test('a response that contains a secret is never compressed, and neither is its replay', async () => {
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip, br, zstd' }
  const long = `https://example.com/${'x'.repeat(1_900)}`
  const hook = await created(owner.post('/webhooks', { url: long }))
  // in bytes four times as long
  const name = '\u{1f600}'.repeat(60)
  const asks: [path: string, key: string, body?: object][] = [
    ['/webhooks', owner.key, { url: long }],
    [`/webhooks/${hook.id}/rotate-secret`, owner.key],
    ['/members', owner.key, { name, email: `${crypto.randomUUID()}@example.com`, invite: true }],
    ['/organizations', operatorToken, { name, owner: { name, email: 'ann@example.com' } }],
  ]
  let longest = 0
  for (const [path, key, body] of asks) {
    for (const replayed of [undefined, 'true']) {
      const sent = { ...headers, authorization: `Bearer ${key}`, 'idempotency-key': `secret-of-${path}` }
      const answer = await ask(api + path, sent, 'POST', body)
      assert.ok(answer.status === 200 || answer.status === 201, answer.text)
      assert.deepEqual(
        [answer.headers['content-encoding'], answer.headers.vary, answer.headers['idempotent-replayed']],
        [undefined, varyingByCaller, replayed],
        path,
      )
      assert.match(answer.text, /"secret":"(whsec|tw)_|#invitation=/)
      longest = Math.max(longest, answer.text.length)
    }
  }
  assert.ok(longest > 1_400)
  // so are all routes whose answer has such a field
  const showing = routes.filter(
    ({ returns }) => returns && /"(secret|link)":/.test(JSON.stringify(returns.toJSONSchema())),
  )
  assert.deepEqual(
    showing.map(({ method, path }) => `${method} ${path}`),
    routes.filter(({ secret }) => secret).map(({ method, path }) => `${method} ${path}`),
  )
})

test('the response of a keyed POST is stored uncompressed, and each replay is sent in an encoding that its reader accepts', async () => {
  const key = { authorization, 'content-type': 'application/json', 'idempotency-key': 'long-task' }
  const body = { projectId, name: 'Once', description: words(9) }
  const first = await ask(`${api}/tasks`, { ...key, 'accept-encoding': 'gzip' }, 'POST', body)
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const replay = await ask(`${api}/tasks`, { ...key, 'accept-encoding': accepted }, 'POST', body)
    assert.deepEqual(
      [replay.status, replay.headers['idempotent-replayed'], replay.headers['content-encoding'], replay.text],
      [201, 'true', encoding, first.text],
    )
  }
})

test('a stream of events is not compressed, so each event arrives at once', async () => {
  const stream = await openStream(base, owner.key, { headers: { 'accept-encoding': 'gzip, br, zstd' } })
  assert.deepEqual([stream.status, stream.headers['content-encoding']], [200, undefined])
  await stream.close()
})

test('the document and its page are compressed once, with their own ETags', async () => {
  for (const path of ['/api/v1/openapi.json', '/docs', '/docs/page.js']) {
    const plain = await ask(base + path, {})
    const answer = await ask(base + path, { 'accept-encoding': 'gzip' })
    const { etag = '', vary } = answer.headers
    assert.deepEqual([answer.headers['content-encoding'], vary], ['gzip', 'origin, accept-encoding'], path)
    assert.equal(etag, plain.headers.etag?.replace(/"$/, '-gzip"'))
    assert.equal(answer.text, plain.text)
    for (const known of [etag, '*']) {
      const again = await ask(base + path, { 'accept-encoding': 'gzip', 'if-none-match': known })
      assert.deepEqual([again.status, again.headers.etag, again.headers.vary], [304, etag, vary], known)
    }
  }
})

test('with COMPRESSION=off nothing is compressed, and an earlier ETag still names its version', async () => {
  const off = await startServer({ compression: false })
  for (const path of [page, longPage, one, '/openapi.json']) {
    const { headers } = await ask(`${off.base}/api/v1${path}`, { authorization, 'accept-encoding': 'gzip, br' })
    assert.deepEqual(
      [headers['content-encoding'], headers.vary?.includes('encoding')],
      [undefined, path === '/openapi.json' ? undefined : false],
      path,
    )
  }
  const { etag = '' } = (await get(one, 'gzip')).headers
  assert.match(etag, /-gzip"$/)
  const headers = { authorization, 'if-match': etag }
  assert.equal((await ask(`${off.base}/api/v1${one}`, headers)).status, 200)
})

test('responses on one connection keep their order, with or without compression', async () => {
  const paths = [longPage, '/me', page, longPage, one, longPage]
  const lines = paths.map((path, n) =>
    request(`GET /api/v1${path}`, { authorization, 'accept-encoding': 'gzip', 'x-request-id': String(n) }).replace(
      n < paths.length - 1 ? 'Connection: close\r\n' : '\r\n\r\n\r\n',
      '',
    ),
  )
  const socket = connect(port, '127.0.0.1')
  socket.write(lines.join(''))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const answers = answersIn(Buffer.concat(chunks))
  assert.deepEqual(
    answers.map(({ headers }) => headers['x-request-id']),
    paths.map((_, n) => String(n)),
  )
  for (const [n, path] of paths.entries()) assert.equal(answers[n]?.text, (await get(path)).text, path)
})

/** The answers one after the other, by their lengths. */
function answersIn(bytes: Buffer): { headers: Record<string, string>; text: string }[] {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return []
  const lines = bytes.subarray(0, end).toString().toLowerCase().split('\r\n').slice(1)
  const headers = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/).slice(0, 2)))
  const rest = end + 4 + Number(headers['content-length'])
  return [{ headers, text: decoded(bytes.subarray(end + 4, rest), headers) }, ...answersIn(bytes.subarray(rest))]
}

test('a client that leaves while its response is compressed affects no other', async () => {
  for (let n = 0; n < 20; n++) {
    const line = openRaw(port, request(`GET /api/v1${longPage}`, { authorization, 'accept-encoding': 'gzip' }))
    await line.connected
    line.leave()
  }
  await until(async () => (await get(longPage, 'gzip')).headers['content-encoding'] === 'gzip', 'It stays busy')
})

const long = { status: 200, headers: { 'content-type': 'text/plain' }, body: words(1).repeat(1_000) }

function compressing() {
  const counts = { compressed: 0, skipped: 0 }
  const counting = { compressed: () => void counts.compressed++, skipped: () => void counts.skipped++ }
  const compress = createCompression(counting)
  return { compress, asked: () => compress(long, { 'accept-encoding': 'gzip' }), counts }
}

test('two long bodies are compressed at a time beside the event loop; other requests do not wait', async () => {
  const { asked, counts } = compressing()
  const [first, second, third] = [asked(), asked(), asked()]
  assert.ok(first instanceof Promise && second instanceof Promise && !(third instanceof Promise))
  assert.deepEqual([third.body, third.headers['content-encoding']], [long.body, undefined])
  assert.equal(third.headers.vary, 'origin, accept-encoding')
  for (const answer of [await first, await second]) assert.equal(answer.headers['content-encoding'], 'gzip')
  assert.deepEqual(counts, { compressed: 2, skipped: 1 })
  assert.ok(asked() instanceof Promise)
})

test('a server that ends sends the responses that it is compressing', async () => {
  const { compress } = compressing()
  const server = answeringBy(compress)
  const open = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answered = ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { 'accept-encoding': 'gzip' })
  await once(server, 'compressing')
  const [{ headers, text }] = await Promise.all([answered, drain(server, open, { graceMs: 20, maxRequestMs: 60_000 })])
  assert.deepEqual([headers['content-encoding'], text.length], ['gzip', long.body.length])
})

function answeringBy(compress: Compress) {
  const server = createServer(async ({ headers }, response) => {
    const answer = compress(long, headers)
    server.emit('compressing')
    const { status, headers: sent, body } = await answer
    response.writeHead(status, sent).end(body)
  })
  return server
}
