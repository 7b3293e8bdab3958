import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterwards } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { keptAlive, writtenUntilStopped } from '../support/kept-alive.ts'
import { openRaw, request } from '../support/raw.ts'
import { onMadeCluster, onMigratedDatabase, postmasterIn, serving } from '../support/slow/processes.ts'
import { inTime, until } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

test('SIGTERM under load: every client that sent a request on an open connection gets its response', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const written = await writtenUntilStopped(t, server, () => void server.kill('SIGTERM'))
  assert.deepEqual(await server.ended, { code: 0, signal: null })
  await assert.rejects(owner.get('/me'))
  const again = await serving(t, settings)
  assert.equal((await apiOf(`${again.base}/api/v1`, server.ownersKey).get('/tags')).body.total, written)
})

test('SIGTERM: the listener closes at once, requests in progress finish, open connections are asked to close', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const { id: projectId } = await created(owner.post('/projects', { name: 'A project' }))
  const held = await hold(t, settings.DATABASE_URL, 'select 1 from projects where id = $1 for update', [projectId])
  const idle = keptAlive(t, server.base, server.ownersKey)
  assert.equal((await idle('GET', '/me')).headers.connection, 'keep-alive')
  const slow = keptAlive(t, server.base, server.ownersKey)('POST', '/tasks', { projectId, name: 'A task' })
  await held.waiters(1)
  server.kill('SIGTERM')
  await refusing(server.port)
  const last = await idle('GET', '/me')
  assert.deepEqual([last.status, last.headers.connection], [200, 'close'])
  await held.release()
  // it was asked before the signal
  const { status, headers } = await slow
  assert.deepEqual([status, headers.connection], [201, 'close'])
  assert.deepEqual(await server.ended, { code: 0, signal: null })
})

test('SIGTERM: the last use of keys is written down', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  assert.equal((await apiOf(`${server.base}/api/v1`, server.ownersKey).get('/me')).status, 200)
  await server.kill('SIGTERM')
  const client = new pg.Client({ connectionString: settings.DATABASE_URL })
  await client.connect()
  afterwards(t, () => client.end())
  const { rows } = await client.query('select last_used_at is not null as used from api_keys')
  assert.deepEqual(rows, [{ used: true }])
})

test('SIGTERM: a request that waits for the database after its client left is not an error', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  const { ownersKey, base } = server
  await hold(t, settings.DATABASE_URL, 'lock table task_types in access exclusive mode')
  const leaving = new AbortController()
  const asked = Array.from({ length: 60 }, (_, n) =>
    fetch(`${base}/api/v1/task-types`, {
      signal: leaving.signal,
      headers: { authorization: `Bearer ${ownersKey}`, 'content-type': 'application/json' },
      ...(n % 2 ? { method: 'POST', body: JSON.stringify({ name: `Type ${n}` }) } : {}),
    }).catch(() => {}),
  )
  const waiting = async () => /state="waiting"\} (\d+)/.exec(await (await fetch(`${base}/metrics`)).text())?.[1]
  while (Number(await waiting()) < 30);
  leaving.abort()
  await Promise.all(asked)
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(errorsIn(server.err.all), [])
})

// a server accepts one in each turn of its event loop, and stops waiting for others after three seconds
const many = 100

for (const workers of ['1', '2']) {
  test(`SIGTERM: every client that the kernel has connected gets a response, accepted or not (WORKERS=${workers})`, async (t) => {
    const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: workers })
    process.kill(server.pid, 'SIGSTOP')
    const lines = await Promise.all(Array.from({ length: many }, () => connectedTo(server.port)))
    process.kill(server.pid, 'SIGTERM')
    process.kill(server.pid, 'SIGCONT')
    const answers = await inTime(Promise.all(lines.map(({ ended }) => ended)), 'Not all are answered')
    assert.deepEqual([...new Set(answers.flatMap((answer) => answer.answers))], [200])
    assert.equal(answers.filter((answer) => answer.answers.length === 1).length, many)
    assert.deepEqual(await server.ended, { code: 0, signal: null })
  })
}

test('SIGTERM: a silent connection is closed before one in the middle of a request', async (t) => {
  const server = await serving(t, await onMigratedDatabase(t))
  const [silent, slow] = [openRaw(server.port, ''), openRaw(server.port, 'GET /healthz HTTP/1.1\r\nHo')]
  // both are accepted by now
  assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
  server.kill('SIGTERM')
  await silent.ended
  slow.write('st: localhost\r\n\r\n')
  assert.deepEqual((await slow.ended).answers, [200])
})

test('SIGTERM: a client that was refused before its body arrived is closed before one in the middle of a request', async (t) => {
  const server = await serving(t, await onMigratedDatabase(t))
  const [half, rest] = ['{"name":', '"A tag"}']
  const begun = (key: string) =>
    openRaw(
      server.port,
      `POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${half.length + rest.length}\r\n\r\n${half}`,
    )
  const [refused, slow] = [begun('tw_nobody'), begun(server.ownersKey)]
  await refused.answered
  server.kill('SIGTERM')
  assert.deepEqual((await refused.ended).answers, [401])
  slow.write(rest)
  assert.deepEqual((await slow.ended).answers, [201])
})

test('SIGTERM: for DRAIN_DELAY the server continues, and /readyz says 503 so that nobody sends more', async (t) => {
  const outlived = async (WORKERS: string) => {
    const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS, DRAIN_DELAY: '5s' })
    const ready = async () => (await fetch(`${server.base}/readyz`)).status
    assert.equal(await ready(), 200)
    const begunMs = performance.now()
    server.kill('SIGTERM')
    await until(async () => (await ready()) !== 200, 'It stays ready')
    const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
    const { status, headers } = await owner.get('/me')
    assert.deepEqual([status, headers.get('connection')], [200, 'keep-alive'])
    await refusing(server.port)
    assert.ok(performance.now() - begunMs >= 5_000)
    assert.deepEqual(await server.ended, { code: 0, signal: null })
  }
  await Promise.all(['1', '2'].map(outlived))
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} stops the server and the PostgreSQL that it brought along`, async (t) => {
    const settings = await onMadeCluster(t)
    const server = await serving(t, settings)
    assert.ok(await postmasterIn(settings.DATA_DIR))
    assert.deepEqual(await server.kill(signal), { code: 0, signal: null })
    assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
  })
}

/** The lines of a log that tell of what nobody foresaw. */
const errorsIn = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('{') && JSON.parse(line).level >= 50)

/** A request on a connection that the kernel has made. */
async function connectedTo(port: number) {
  const line = openRaw(port, request('GET /healthz'))
  await line.connected
  return line
}

/** Once nobody listens on the port any more. */
async function refusing(port: number): Promise<void> {
  for (; ; await wait(5)) {
    const socket = connect(port, '127.0.0.1')
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    if (refused) return
  }
}
