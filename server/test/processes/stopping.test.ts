import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isAlive } from '../../src/db/embedded/pid-file.ts'
import { type Ended, onFreshDatabase, onMadeCluster, postmasterIn, serving, taskwright } from '../support/processes.ts'

for (const WORKERS of ['1', '2']) {
  test(`a second signal ends a server of ${WORKERS} worker(s) at once, and its PostgreSQL with it`, async (t) => {
    const settings = { ...(await onMadeCluster(t)), WORKERS, DRAIN_DELAY: '10m' }
    const server = await serving(t, settings)
    process.kill(server.pid, 'SIGTERM')
    await server.err.first((line) => line.startsWith('Stopping (SIGTERM)'))
    assert.deepEqual(await untilEnded(server, 'SIGINT'), { code: 1, signal: null })
    assert.ok(server.err.all.includes('Stopping at once (SIGINT): what is under way is given up.'))
    assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
    await assert.rejects(fetch(`${server.base}/healthz`), /fetch failed/)
    // and nothing that was answered is lost
    const again = await serving(t, { DATA_DIR: settings.DATA_DIR })
    assert.equal(again.ownersKey, '')
    const me = await fetch(`${again.base}/api/v1/me`, { headers: { 'x-api-key': server.ownersKey } })
    assert.equal(me.status, 200)
  })
}

test('two signals in one moment, as Ctrl-C gives them to a server behind npm, are one: it drains', async (t) => {
  const settings = await onMadeCluster(t)
  const server = await serving(t, settings)
  // two of one kind that come together would be handed over as one
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(server.pid, signal)
  assert.deepEqual(await server.ended, { code: 0, signal: null })
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('signals to a command, however many, leave no PostgreSQL behind', async (t) => {
  const settings = await onMadeCluster(t)
  const seeding = taskwright(t, ['seed', '--size', '200000'], settings)
  await seeding.err.first((line) => line.startsWith('Seeding'))
  const { code, signal } = await untilEnded(seeding, 'SIGINT')
  // the last one may come when the process has let go of its signals, with nothing left to do
  assert.ok(code === 1 || signal === 'SIGINT', `${code}, ${signal}`)
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('a start that waits for another one to migrate ends on the first signal', async (t) => {
  const settings = await onFreshDatabase(t)
  const other = new pg.Client({ connectionString: settings.DATABASE_URL })
  await other.connect()
  await other.query('select pg_advisory_lock(7265100001)')
  const server = taskwright(t, ['serve'], { ...settings, PORT: '0' })
  await server.err.first((line) => line === 'Waiting for another process, which brings the database up to date.')
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
  await other.end()
})

/** Sends a signal again and again. */
async function untilEnded({ pid, ended }: { pid: number; ended: Promise<Ended> }, signal: NodeJS.Signals) {
  for (;;) {
    if (isAlive(pid)) process.kill(pid, signal)
    const how = await Promise.race([ended, wait(100)])
    if (how) return how
  }
}
