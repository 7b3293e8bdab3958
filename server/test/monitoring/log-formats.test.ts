import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRaw, request, sendRaw } from '../support/raw.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { apiOf, created } from '../support/world.ts'

interface Line {
  time: unknown
  msg: string
  status?: number
  leftOut?: number
  requestId?: string
}

const linesIn = (err: readonly string[]): Line[] =>
  err.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))

test('masses of failed requests are sampled in the log, and written lines say how many were not', async (t) => {
  const settings = await onMigratedDatabase(t)
  const { port, base, err, kill, ownersKey } = await serving(t, { ...settings, LOG_LEVEL: 'info', LOG_TIME: 'iso' })
  const beganMs = Date.now()
  const bad = 'GET /api/v1/tags?limit=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer '
  for (let n = 0; n < 20; n++) {
    const lines = `${bad}${ownersKey}\r\n\r\n`.repeat(30) + request('GET /healthz')
    assert.equal((await openRaw(port, lines).ended).answers.filter((status) => status === 422).length, 30)
  }
  const seconds = (Date.now() - beganMs) / 1_000
  // another refusal is not hidden by those
  assert.equal((await fetch(`${base}/api/v1/tags/none`, { headers: { 'x-request-id': 'another' } })).status, 401)
  await err.first((line) => line.includes('answered like others'))
  await kill('SIGTERM')
  const lines = linesIn(err.all)
  const failed = lines.filter(({ status }) => status === 422)
  const whole = failed.filter(({ requestId }) => requestId !== undefined)
  // ten in a second, and each hundredth of the others
  assert.ok(whole.length <= 10 * (2 + seconds) + 6, `${whole.length} lines of 600 in ${seconds} s`)
  const leftOut = failed.reduce((sum, line) => sum + (line.leftOut ?? 0), 0)
  assert.equal(whole.length + leftOut, 600)
  assert.deepEqual(
    lines.filter(({ requestId }) => requestId === 'another').map(({ status }) => status),
    [401],
  )
  assert.equal(lines.filter(({ status }) => status === 200).length, 20)
  for (const { time } of lines) assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('LOG_FORMAT=pretty is for people: when, what, which request, and nothing that controls a terminal', async (t) => {
  const settings = { ...(await onMigratedDatabase(t)), LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' }
  const { base, err, kill, ownersKey } = await serving(t, settings)
  await created(apiOf(`${base}/api/v1`, ownersKey).post('/tags', { name: 'A tag' }))
  await fetch(`${base}/nothing`, { headers: { 'x-request-id': 'of-nothing' } })
  await kill('SIGTERM')
  const lines = err.all.filter((line) => /^\d\d:\d\d:\d\d/.test(line))
  const [post, nothing] = ['201', '404'].map((status) => lines.find((line) => line.includes(` ${status} `)))
  assert.match(
    post ?? '',
    /^\d\d:\d\d:\d\d info {2}201 {2}POST \/api\/v1\/tags {2}[\d.]+ ms {2}requestId=\S+ address=127/,
  )
  assert.match(
    nothing ?? '',
    /^\d\d:\d\d:\d\d info {2}404 {2}GET \(unknown path\) {2}[\d.]+ ms {2}requestId=of-nothing /,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  assert.doesNotMatch(err.all.join('\n'), /[\u0000-\u0009\u000b-\u001f]/)
})

test("no word of a customer is in the log: from bodies, searches, paths, headers, or agents' requests", async (t) => {
  const settings = { ...(await onMigratedDatabase(t)), LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.0/8' }
  const { base, port, err, kill, ownersKey } = await serving(t, settings)
  const canary = 'zqcanary'
  const headers = {
    'user-agent': `${canary}-agent`,
    referer: `https://${canary}.example.com/`,
    'idempotency-key': `${canary}-key`,
    'x-forwarded-for': `${canary}.example.com`,
    cookie: `a=${canary}`,
    'if-none-match': `"${canary}"`,
    [`x-${canary}`]: 'yes',
    'x-request-id': `not one, ${canary}`,
    origin: `https://${canary}.example.com`,
    traceparent: canary,
  }
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const project = await created(owner.post('/projects', { name: `${canary} project` }, headers))
  const task = { projectId: project.id, name: `${canary} task`, description: `${canary} text` }
  const { id } = await created(owner.post('/tasks', task))
  const others: [method: string, path: string, body?: unknown][] = [
    ['POST', `/tasks/${id}/comments`, { body: canary }],
    ['POST', '/tasks', { ...task, [canary]: canary }],
    ['POST', '/tasks', `{"name": "${canary}`],
    ['GET', `/tasks?q=${canary}`],
    ['GET', `/tasks?${canary}=1`],
    ['GET', `/tasks?cursor=${canary}`],
    ['GET', `/tasks/${canary}`],
    ['GET', `/${canary}/${canary}`],
    ['GET', `/search?q=${canary}`],
    [canary.toUpperCase(), '/tasks'],
    ['POST', '/bulk', { operations: [{ method: 'POST', path: '/tags', body: { name: canary } }] }],
    ['POST', '/tags', { name: canary }],
    ['POST', '/tags', { name: canary }],
    ['POST', '/webhooks', { url: `https://${canary}.invalid/${canary}`, eventTypes: ['task.created'] }],
  ]
  for (const [method, path, body] of others) await owner.call(method, path, body, { 'x-word': canary }).catch(() => {})
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'read_task', arguments: { task: canary } },
  }
  const agent = {
    authorization: `Bearer ${ownersKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  await fetch(`${base}/mcp`, { method: 'POST', headers: agent, body: JSON.stringify(call) })
  await sendRaw(port, `${canary} is no HTTP\r\n\r\n`)
  await sendRaw(port, request(`GET /${canary}/%zz?${canary}`, { [canary]: canary }))
  const left = openRaw(port, request('GET /api/v1/events', { accept: 'text/event-stream', 'last-event-id': canary }))
  await left.answered
  left.leave()
  await kill('SIGTERM')
  assert.ok(err.all.filter((line) => line.includes('"answered"')).length > 15)
  assert.doesNotMatch(err.all.join('\n'), new RegExp(canary, 'i'))
})
