import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/db/pool/database.ts'
import { afterwards, file, type Scope } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)

test('if too many requests wait for the database, further ones get 503 with Retry-After at once, and earlier ones are served', async (t) => {
  const { owner, lock } = await setUp(t, 4)
  const { release } = await lock('task_types')
  const all = Array.from({ length: 20 }, () => owner.get('/task-types'))
  // one is sent and four wait; those that are turned away do not wait for the lock
  const refused = await firstOf(all, 15)
  for (const { status, headers, body } of refused) {
    assert.equal(status, 503)
    assert.equal(headers.get('retry-after'), '1')
    assert.equal(headers.get('x-error-code'), 'unavailable')
    assert.deepEqual(body, { error: 'Too many requests at once; try again' })
  }
  await release()
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 5)
  assert.equal((await owner.get('/task-types')).status, 200)
})

test('writes get a connection with any number of waiting reads, reads with any number of writes, and other organizations with any number of reports', async (t) => {
  const { owner, other, lock } = await setUp(t)
  const types = await lock('task_types')
  const reads = Array.from({ length: 20 }, () => owner.get('/task-types'))
  assert.equal((await owner.post('/tags', { name: 'Urgent' })).status, 201)
  await types.release()
  assert.deepEqual(new Set((await Promise.all(reads)).map(({ status }) => status)), new Set([200]))
  const { id } = (await owner.post('/task-types', { name: 'Story' })).body
  const tags = await lock('tags')
  const writes = Array.from({ length: 20 }, (_, n) => owner.post('/tags', { name: `Tag ${n}` }))
  assert.equal((await owner.get('/task-types')).status, 200)
  assert.equal((await owner.get(`/task-types/${id}`)).status, 200)
  await tags.release()
  assert.deepEqual(new Set((await Promise.all(writes)).map(({ status }) => status)), new Set([201]))
  const time = await lock('time_entries')
  const reports = Array.from({ length: 20 }, () => owner.get('/reports/time?groupBy=project'))
  assert.equal((await other.get('/task-types')).status, 200)
  await time.release()
  assert.deepEqual(new Set((await Promise.all(reports)).map(({ status }) => status)), new Set([200]))
})

/** A server with few connections, and a way to keep everybody from a table. */
async function setUp(t: Scope, mostWaiting = 1_000) {
  const db = new Database({
    ...{ connection: { connectionString: url }, poolSize: 4, waitTimeoutMs: 60_000, lockTimeoutMs: 60_000 },
    ...{ statementTimeoutMs: 60_000, answerTimeoutMs: 90_000 },
  })
  const { newWorld } = await startServer({ db, url, patience: { mostWaiting, longestWaitMs: 60_000 } })
  afterwards(t, () => db.close())
  const lock = (table: string) => hold(t, url, `lock table ${table} in access exclusive mode`)
  return { owner: (await newWorld()).owner, other: (await newWorld()).owner, lock }
}

/** What the first of some promises came to. */
function firstOf<T>(promises: readonly Promise<T>[], count: number): Promise<T[]> {
  const settled: T[] = []
  return new Promise((resolve, reject) => {
    for (const promise of promises) {
      promise.then((value) => {
        settled.push(value)
        if (settled.length === count) resolve([...settled])
      }, reject)
    }
  })
}
