import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { failureOf } from '../../src/db/failures.ts'
import { PipelinedPool } from '../../src/db/pipelined-pool.ts'
import { ActiveTenants, WorkBudget } from '../../src/db/work-budget.ts'
import { afterwards } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { databaseUrl } from '../support/world.ts'

const [busy, quiet] = [randomUUID(), randomUUID()]
const queue = { text: 'select pg_advisory_xact_lock_shared(hashtext($1))', values: ['lanes'] }

test('as many statements as there are places are under way, and who waited longest has the next one', async (t) => {
  const { lanes, pool } = opened(t, { depth: 3, waitTimeoutMs: 5_000 })
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
  const { lanes } = opened(t, { depth: 1, waitTimeoutMs: 50 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const first = lanes.query(queue)
  await assert.rejects(lanes.query(queue), (error) => failureOf(error) === 'unavailable')
  assert.equal(lanes.waiting, 0)
  await release()
  await first
  assert.equal((await lanes.query({ text: 'select 1 as one' })).rows[0].one, 1)
})

test('whoever waits has a turn after each other one that waits, however many statements that one has sent', async (t) => {
  const { lanes } = opened(t, { depth: 1 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const answered: string[] = []
  const ask = async (who: string) => {
    await lanes.query(queue, who)
    answered.push(who)
  }
  const asked = ['one', 'one', 'one', 'one', 'other', 'third', 'other'].map(ask)
  await release()
  await Promise.all(asked)
  assert.deepEqual(answered, ['one', 'one', 'other', 'third', 'one', 'other', 'one'])
})

test('one organization does not have all the connections: another one is answered while it waits for a lock', async (t) => {
  const { lanes } = opened(t, { depth: 3, maxConnections: 3 })
  const { release, waiters } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const stuck = Array.from({ length: 9 }, () => lanes.query(queue, 'one'))
  await waiters(2)
  assert.equal((await lanes.query(one, 'other')).rows[0].one, 1)
  assert.equal(lanes.waiting, 3)
  await release()
  await Promise.all(stuck)
})

test('beside others one organization has no more at work than is done in a moment, alone as much as there is room for', async (t) => {
  const { lanes } = opened(t, { depth: 8, maxConnections: 3 })
  const slow: pg.QueryConfig = { text: 'select pg_sleep(0.02)' }
  const alone = Array.from({ length: 20 }, () => lanes.query(slow, busy))
  assert.equal(lanes.waiting, 20 - 2 * 8)
  await Promise.all(alone)
  await lanes.query(one, quiet)
  const beside = Array.from({ length: 20 }, () => lanes.query(slow, busy))
  assert.equal(lanes.waiting, 20 - Math.ceil(availableParallelism() / 2))
  await lanes.query(one, quiet)
  assert.ok(lanes.waiting > 0)
  await Promise.all(beside)
  assert.equal(lanes.waiting, 0)
})

test('beside others what waits for a lock does not keep the rest of its organization from being at work', async (t) => {
  const { lanes } = opened(t, { depth: 8, maxConnections: 5, stuckAfterMs: 50 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  await lanes.query(one, quiet)
  for (let n = 0; n < 16; n++) await lanes.query({ text: 'select pg_sleep(0.02)' }, busy)
  await lanes.query(one, quiet)
  const stuck = Array.from({ length: Math.ceil(availableParallelism() / 2) }, () => lanes.query(queue, busy))
  const behind = lanes.query(one, busy)
  assert.equal(lanes.waiting, 1)
  assert.equal((await behind).rows[0].one, 1)
  await release()
  await Promise.all(stuck)
})

test('beside others an organization whose pages wait is answered in its other pools too', async (t) => {
  const budget = new WorkBudget(6, new ActiveTenants())
  const [pages, searches] = [opened(t, { maxConnections: 3, workBudget: budget }), opened(t, { workBudget: budget })]
  await pages.lanes.query(one, quiet)
  const slow: pg.QueryConfig = { text: 'select pg_sleep(0.02)' }
  for (let n = 0; n < 16; n++) await pages.lanes.query(slow, busy)
  // how long it takes to connect is no matter
  for (const { lanes } of [searches, pages]) await lanes.query(one, quiet)
  const before = Array.from({ length: 20 }, () => pages.lanes.query(slow, busy))
  assert.equal((await searches.lanes.query(one, busy)).rows[0].one, 1)
  assert.ok(pages.lanes.waiting > 10, `${pages.lanes.waiting} wait`)
  await Promise.all(before)
})

test('who has shown no key, and the server that asks for itself, are nobody beside whom an organization has less', async (t) => {
  const { lanes } = opened(t, { depth: 8, maxConnections: 3 })
  const slow: pg.QueryConfig = { text: 'select pg_sleep(0.02)' }
  for (let n = 0; n < 16; n++) await lanes.query(slow, busy)
  for (const nobody of ['127.0.0.1', '2001:db8::1', 'readiness']) await lanes.query(one, nobody)
  const alone = Array.from({ length: 20 }, () => lanes.query(slow, busy))
  assert.equal(lanes.waiting, 20 - 2 * 8)
  await Promise.all(alone)
})

test('what is behind a statement that takes long is answered elsewhere', async (t) => {
  const { lanes } = opened(t, { depth: 2, maxConnections: 3, stuckAfterMs: 50 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const stuck = [lanes.query(queue, 'one'), lanes.query(queue, 'other')]
  // two of these have a connection to themselves
  const others = Array.from({ length: 4 }, () => lanes.query(one, 'third'))
  for (const { rows } of await Promise.all(others)) assert.deepEqual(rows, [{ one: 1 }])
  await release()
  await Promise.all(stuck)
})

test('of statements that failed as they waited for a lock one at a time is tried, and others of that organization are answered', async (t) => {
  const { lanes } = opened(t, { depth: 8, maxConnections: 3, lockTimeoutMs: 500 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const locked = (error: { code?: string }) => error.code === '55P03'
  await assert.rejects(lanes.query(queue, 'one'), locked)
  const settling = Promise.allSettled(Array.from({ length: 5 }, () => lanes.query(queue, 'one')))
  assert.equal(lanes.waiting, 4)
  for (let n = 0; n < 10; n++) assert.equal((await lanes.query(one, 'one')).rows[0].one, 1)
  await release()
  assert.equal((await settling).at(-1)?.status, 'fulfilled')
})

test('of statements that failed for two organizations as they waited for a lock one at a time is tried for all of them', async (t) => {
  const { lanes } = opened(t, { depth: 8, maxConnections: 3, lockTimeoutMs: 500 })
  const { release } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['lanes'])
  const locked = (error: { code?: string }) => error.code === '55P03'
  await Promise.all(['one', 'other'].map((who) => assert.rejects(lanes.query(queue, who), locked)))
  const settling = Promise.allSettled(['third', 'fourth', 'one', 'fifth'].map((who) => lanes.query(queue, who)))
  assert.equal(lanes.waiting, 3)
  for (let n = 0; n < 10; n++) assert.equal((await lanes.query(one, 'sixth')).rows[0].one, 1)
  await release()
  assert.equal((await settling).at(-1)?.status, 'fulfilled')
})

const one = { text: 'select 1 as one' }

function opened(
  t: TestContext,
  {
    lockTimeoutMs = 0,
    ...options
  }: Partial<ConstructorParameters<typeof PipelinedPool>[0]> & { lockTimeoutMs?: number },
) {
  const most = options.maxConnections ?? 1
  const pool = new pg.Pool({ connectionString: databaseUrl, max: most, pipeline: true, lock_timeout: lockTimeoutMs })
  afterwards(t, () => pool.end())
  const limits = { maxWaiting: 100, waitTimeoutMs: 60_000, stuckAfterMs: 60_000, deadAfterMs: 60_000 }
  const workBudget = new WorkBudget(6, new ActiveTenants())
  const lanes = new PipelinedPool({
    connect: () => pool.connect(),
    maxConnections: most,
    workBudget,
    depth: 1,
    ...limits,
    onDead: () => {},
    ...options,
  })
  return { lanes, pool }
}
