import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isAlive } from '../../src/db/embedded/pid-file.ts'
import { afterwards } from '../support/afterwards.ts'
import { openRaw } from '../support/raw.ts'
import {
  type Ended,
  onFreshDatabase,
  onMadeCluster,
  onMigratedDatabase,
  postmasterIn,
  serving,
  taskwright,
} from '../support/slow/processes.ts'
import { until } from '../support/until.ts'

for (const WORKERS of ['1', '2']) {
  test(`a second signal ends a server of ${WORKERS} worker(s) at once, with its PostgreSQL`, async (t) => {
    const settings = { ...(await onMadeCluster(t)), WORKERS, DRAIN_DELAY: '10m' }
    const server = await serving(t, settings)
    process.kill(server.pid, 'SIGTERM')
    await server.err.first((line) => line.startsWith('Stopping (SIGTERM)'))
    assert.deepEqual(await untilEnded(server, 'SIGINT'), { code: 1, signal: null })
    assert.ok(server.err.all.includes('Stopping at once (SIGINT): requests in progress are lost.'))
    assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
    await assert.rejects(fetch(`${server.base}/healthz`), /fetch failed/)
    // and nothing that was answered is lost
    const again = await serving(t, { DATA_DIR: settings.DATA_DIR })
    assert.equal(again.ownersKey, '')
    const me = await fetch(`${again.base}/api/v1/me`, { headers: { 'x-api-key': server.ownersKey } })
    assert.equal(me.status, 200)
  })
}

test('two signals at the same time, as Ctrl-C sends them to a server behind npm, count as one: the server drains', async (t) => {
  const settings = await onMadeCluster(t)
  const server = await serving(t, settings)
  // two of one kind that come together would be handed over as one
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(server.pid, signal)
  assert.deepEqual(await server.ended, { code: 0, signal: null })
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('signals to a command, however many, leave no PostgreSQL running', async (t) => {
  const settings = await onMadeCluster(t)
  const seeding = taskwright(t, ['seed', '--size', '200000'], settings)
  await seeding.err.first((line) => line.startsWith('Seeding'))
  const { code, signal } = await untilEnded(seeding, 'SIGINT')
  // the last one may come when the process has let go of its signals, with nothing left to do
  assert.ok(code === 1 || signal === 'SIGINT', `${code}, ${signal}`)
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('a start that waits for the migration of another start ends on the first signal', async (t) => {
  const settings = await onFreshDatabase(t)
  const other = new pg.Client({ connectionString: settings.DATABASE_URL })
  await other.connect()
  await other.query('select pg_advisory_lock(7265100001)')
  const server = taskwright(t, ['serve'], { ...settings, PORT: '0' })
  await server.err.first((line) => line === 'Waiting for another process that migrates the database.')
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  await other.end()
})

// each waits more than it computes
describe('a stop that would not end', { concurrency: 3 }, () => {
  const hanging = {
    'a request that does not come to its end': (port: number, key: string) => {
      const head = `POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`
      return openRaw(port, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`).leave
    },
    'an answer that nobody reads': (port: number) => {
      const reader = connect(port, '127.0.0.1').pause()
      reader.on('error', () => {}).write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(30))
      return () => void reader.destroy()
    },
  }
  for (const [what, begin] of Object.entries(hanging)) {
    test(`${what} is cut in time for the server to end cleanly`, async (t) => {
      const server = await serving(t, await onMigratedDatabase(t))
      const leave = begin(server.port, server.ownersKey)
      afterwards(t, async () => leave())
      // it is accepted by now, and thirty of these are more than what the system takes for who does not read
      const { length } = await (await fetch(`${server.base}/api/v1/openapi.json`)).text()
      assert.ok(length > 500_000)
      assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
    })
  }

  test('after 20 s the server says so and ends with code 1, and its PostgreSQL is gone, even if one of its processes hangs', async (t) => {
    const { DATA_DIR } = await onMadeCluster(t)
    const server = await serving(t, { DATA_DIR })
    const client = new pg.Client({ host: join(DATA_DIR, 'postgres'), user: 'taskwright', database: 'taskwright' })
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]?.pid ?? 0, 'SIGSTOP')
    assert.deepEqual(await server.kill('SIGTERM'), { code: 1, signal: null })
    assert.equal(server.err.all.at(-1), 'Some work did not finish within 20 seconds. Stopping anyway.')
    await until(async () => (await postmasterIn(DATA_DIR)) === undefined, 'PostgreSQL is left')
  })
})

/** Sends a signal again and again. */
async function untilEnded({ pid, ended }: { pid: number; ended: Promise<Ended> }, signal: NodeJS.Signals) {
  for (;;) {
    if (isAlive(pid)) process.kill(pid, signal)
    const how = await Promise.race([ended, wait(100)])
    if (how) return how
  }
}
