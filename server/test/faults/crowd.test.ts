import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { Database } from '../../src/db/database.ts'
import { afterwards } from '../afterwards.ts'
import { databaseUrl, startServer } from '../world.ts'

test('when too many wait for the database more are answered 503 with Retry-After at once, and those before them in full', async (t) => {
  const db = new Database({ connection: { connectionString: databaseUrl }, poolSize: 2, mostWaiting: 4 })
  const { newWorld } = await startServer({ db })
  afterwards(t, () => db.close())
  const { owner } = await newWorld()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  afterwards(t, () => client.end())
  await client.query('begin; lock table task_types in access exclusive mode')
  const all = Array.from({ length: 20 }, () => owner.get('/task-types'))
  // those that are turned away do not wait for the lock
  const refused = await firstOf(all, 14)
  for (const { status, headers, body } of refused) {
    assert.equal(status, 503)
    assert.equal(headers.get('retry-after'), '1')
    assert.equal(headers.get('x-error-code'), 'unavailable')
    assert.deepEqual(body, { error: 'Too many requests at once; try again' })
  }
  await client.query('commit')
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 6)
  assert.equal((await owner.get('/task-types')).status, 200)
})

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
