import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Database, type DatabaseOptions } from '../../src/db/database.ts'
import { failureOf } from '../../src/db/failures.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { databaseUrl } from '../support/world.ts'

function opened(t: TestContext, options: Omit<DatabaseOptions, 'connection'>, url = databaseUrl): Database {
  const db = new Database({ connection: { connectionString: url }, ...options })
  afterwards(t, () => db.close())
  return db
}

const numbered = (db: Database, n: number) =>
  db.lookUps.row<{ n: number; pid: number }>(sql`select ${n}::int as n, pg_backend_pid() as pid`)

test('many look-ups at once share an eighth of the connections, each gets its own answer, and all are given back', async (t) => {
  const db = opened(t, { poolSize: 16 })
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => numbered(db, n)))
  assert.deepEqual(
    answers.map((answer) => answer?.n),
    Array.from({ length: 100 }, (_, n) => n),
  )
  assert.equal(new Set(answers.map((answer) => answer?.pid)).size, 2)
  assert.deepEqual(db.connectionCounts, { total: 2, idle: 2, waiting: 0 })
})

test('a look-up that fails leaves those beside it alone', async (t) => {
  const db = opened(t, { poolSize: 8 })
  const asked = [numbered(db, 1), db.lookUps.row(sql`select 1 / ${0}::int`), numbered(db, 2)]
  const [before, wrong, after] = await Promise.allSettled(asked)
  assert.equal(before?.status, 'fulfilled')
  assert.equal(wrong?.status, 'rejected')
  assert.equal(after?.status, 'fulfilled')
  assert.deepEqual(db.connectionCounts, { total: 1, idle: 1, waiting: 0 })
})

test('when a connection breaks the look-ups on it fail, and those that come later have another one', async (t) => {
  const db = opened(t, { poolSize: 8 })
  const ended = db.lookUps.row(sql`select pg_terminate_backend(pg_backend_pid())`)
  const behind = numbered(db, 1)
  assert.deepEqual(
    (await Promise.allSettled([ended, behind])).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await numbered(db, 2))?.n, 2)
  assert.deepEqual(db.connectionCounts, { total: 1, idle: 1, waiting: 0 })
})

test('look-ups fail where nothing answers, each by itself', async (t) => {
  const db = opened(t, {}, Object.assign(new URL(databaseUrl), { pathname: '/nowhere' }).href)
  const asked = await Promise.allSettled([numbered(db, 1), numbered(db, 2)])
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await assert.rejects(numbered(db, 3), /nowhere/)
  assert.deepEqual(db.connectionCounts, { total: 0, idle: 0, waiting: 0 })
})

test('look-ups that come when 64 are under way on each connection wait, and more than may wait are turned away', async (t) => {
  const db = opened(t, { poolSize: 8, maxWaiting: 3 })
  const asked = Array.from({ length: 68 }, (_, n) => numbered(db, n))
  const settled = await Promise.allSettled(asked)
  assert.deepEqual(
    settled.map(({ status }) => status === 'fulfilled'),
    Array.from({ length: 68 }, (_, n) => n < 67),
  )
  await assert.rejects(asked[67] ?? Promise.resolve(), (error) => failureOf(error) === 'crowded')
  assert.deepEqual(db.connectionCounts, { total: 1, idle: 1, waiting: 0 })
})
