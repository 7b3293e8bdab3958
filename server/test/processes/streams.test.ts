import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterwards } from '../support/afterwards.ts'
import { openStream, type Reader } from '../support/event-streams.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { inTime, until, untilTaken } from '../support/until.ts'
import { apiOf, created, databaseUrl } from '../support/world.ts'

const tagNamed = (name: string) => (told: { type: string; data: { snapshot: { name?: string } } }) =>
  told.type === 'tag.created' && told.data.snapshot.name === name

for (const workers of ['1', '2']) {
  test(`SIGTERM ends streams cleanly and at once, and their readers resume at another server (WORKERS=${workers})`, async (t) => {
    const settings = { ...(await onMigratedDatabase(t)), WORKERS: workers, LOG_LEVEL: 'info' }
    const server = await serving(t, settings)
    const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(server.base, server.ownersKey)))
    const stuck = await openStream(server.base, server.ownersKey)
    stuck.stopReading()
    await created(owner.post('/tags', { name: 'before' }))
    for (const stream of streams) await stream.event(tagNamed('before'))
    const other = await serving(t, { ...settings, WORKERS: '1' })
    const begunMs = performance.now()
    assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
    // an ordinary stop waits two seconds for idle connections; with a request that never ends it takes 15 and more
    assert.ok(performance.now() - begunMs < 15_000)
    for (const stream of streams) {
      await stream.ended()
      assert.ok(stream.seen.text.endsWith('\n\n'), 'nothing is cut')
    }
    await created(apiOf(`${other.base}/api/v1`, server.ownersKey).post('/tags', { name: 'after' }))
    const [first = assert.fail()] = streams
    const again = await openStream(other.base, server.ownersKey, {
      headers: { 'last-event-id': first.seen.lastEventId },
    })
    const [told] = await again.events(1)
    assert.ok(told && tagNamed('after')(told))
    const lines = server.err.all.filter((line) => line.includes('"ended":"stopping"'))
    assert.equal(lines.length, streams.length + 1)
    await again.close()
  })
}

test('DRAIN_DELAY: streams continue until the delay is over, so that their readers are not sent back to the same server', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, { ...settings, DRAIN_DELAY: '15s' })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const stream = await openStream(server.base, server.ownersKey)
  const ending = server.kill('SIGTERM')
  const ready = async () => (await fetch(`${server.base}/readyz`)).status
  await until(async () => (await ready()) !== 200, 'It stays ready')
  assert.equal(await ready(), 503)
  const late = await openStream(server.base, server.ownersKey)
  await created(owner.post('/tags', { name: 'meanwhile' }))
  await stream.event(tagNamed('meanwhile'))
  await late.event(tagNamed('meanwhile'))
  await Promise.all([stream.ended(), late.ended()])
  assert.deepEqual(await ending, { code: 0, signal: null })
})

test('with two servers of two workers each, every stream sends what was written to any of them', async (t) => {
  const settings = { ...(await onMigratedDatabase(t)), WORKERS: '2' }
  const [one, other] = [await serving(t, settings), await serving(t, settings)]
  const key = one.ownersKey
  const apis = [one, other].map(({ base }) => apiOf(`${base}/api/v1`, key))
  const streams = await Promise.all([one, one, one, other, other, other].map(({ base }) => openStream(base, key)))
  const writing = apis.flatMap((api, i) =>
    Array.from({ length: 30 }, (_, n) => created(api.post('/tags', { name: `Tag ${i} ${n}` }))),
  )
  await Promise.all(writing)
  const inOrder: string[][] = []
  for (const stream of streams) {
    const told = await stream.events(60)
    const ids = told.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      ids.map((_, i) => (ids[0] ?? 0) + i),
    )
    inOrder.push(told.map(({ data }) => data.id))
    await stream.close()
  }
  assert.deepEqual(
    inOrder,
    inOrder.map(() => inOrder[0]),
  )
})

test('a stream whose worker is killed continues at the worker that replaces it', async (t) => {
  const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS: '2' })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(server.base, server.ownersKey)))
  await created(owner.post('/tags', { name: 'before' }))
  for (const stream of streams) await stream.event(tagNamed('before'))
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(server.pid)])
  const [victim] = stdout.trim().split('\n').map(Number)
  assert.ok(victim)
  process.kill(victim, 'SIGKILL')
  await Promise.race(streams.map(({ ended }) => ended()))
  await until(() => owner.post('/tags', { name: 'after' }).catch(() => undefined), 'No write is taken any more')
  for (const stream of streams) {
    const whole = await stream.event(tagNamed('after')).then(
      () => true,
      () => false,
    )
    if (whole) continue
    const again = await reopened(server, stream)
    await again.event(tagNamed('after'))
    assert.deepEqual(again.seen.events.length, 1)
    await again.close()
  }
  assert.ok(streams.some(({ seen }) => seen.over))
  await Promise.all(streams.map((stream) => stream.close()))
})

const reopened = ({ base, ownersKey }: { base: string; ownersKey: string }, { seen }: Reader): Promise<Reader> =>
  until(async () => {
    const headers = { 'last-event-id': seen.lastEventId }
    const again = await openStream(base, ownersKey, { headers }).catch(() => undefined)
    if (again?.status === 200) return again
    await again?.close()
  }, 'No stream can be opened any more')

test('while the database is away streams stay open or end cleanly, and nothing is missed when it is back', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const stream = await openStream(server.base, server.ownersKey)
  await created(owner.post('/tags', { name: 'before' }))
  await stream.event(tagNamed('before'))
  const name = new URL(settings.DATABASE_URL).pathname.slice(1)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  afterwards(t, () => client.end())
  await client.query(`alter database ${name} allow_connections false`)
  await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
  assert.equal((await owner.post('/tags', { name: 'refused' })).status, 503)
  await client.query(`alter database ${name} allow_connections true`)
  assert.equal((await untilTaken(() => owner.post('/tags', { name: 'after' }))).status, 201)
  const reader = stream.seen.over ? await reopened(server, stream) : stream
  await inTime(reader.event(tagNamed('after')), 'It is not told of what came after')
  const ids = reader.seen.events.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.map((_, i) => (ids[0] ?? 0) + i),
  )
  await reader.close()
})
