import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { failureOf } from '../../src/db/failures.ts'
import { Lanes } from '../../src/db/lanes.ts'
import { afterwards } from '../afterwards.ts'
import { hold } from '../holding.ts'
import { databaseUrl } from '../world.ts'

const queue = { text: 'select pg_advisory_xact_lock_shared(hashtext($1))', values: ['lanes'] }

test('as many statements as there are places are under way, and who waited longest has the next one', async (t) => {
  const { lanes, pool } = opened(t, { deep: 3, patienceMs: 5_000 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const answered: number[] = []
  const asked = Array.from({ length: 7 }, async (_, n) => {
    await lanes.query(queue)
    answered.push(n)
  })
  assert.equal(lanes.waiting, 4)
  await release()
  await Promise.all(asked)
  assert.equal(lanes.waiting, 0)
  assert.deepEqual(answered, [0, 1, 2, 3, 4, 5, 6])
  assert.deepEqual({ total: pool.totalCount, idle: pool.idleCount }, { total: 1, idle: 1 })
})

test('who waits too long for a place fails as when the database does not answer, and takes none', async (t) => {
  const { lanes } = opened(t, { deep: 1, patienceMs: 50 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const first = lanes.query(queue)
  await assert.rejects(lanes.query(queue), (error) => failureOf(error) === 'unavailable')
  assert.equal(lanes.waiting, 0)
  await release()
  await first
  assert.equal((await lanes.query({ text: 'select 1 as one' })).rows[0].one, 1)
})

function opened(t: TestContext, options: Omit<ConstructorParameters<typeof Lanes>[0], 'pool'>) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, pipeline: true })
  afterwards(t, () => pool.end())
  return { lanes: new Lanes({ pool, ...options }), pool }
}
