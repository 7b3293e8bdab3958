import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Database, type DatabaseOptions } from '../../src/db/pool/database.ts'
import { failureOf } from '../../src/db/pool/failures.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { databaseUrl } from '../support/world.ts'

function opened(t: TestContext, options: Omit<DatabaseOptions, 'connection'>, url = databaseUrl): Database {
  const db = new Database({ connection: { connectionString: url }, ...options })
  afterwards(t, () => db.close())
  return db
}

const numbered = (db: Database, n: number) =>
  db.row<{ n: number; pid: number }>(sql`select ${n}::int as n, pg_backend_pid() as pid`)

const readsOf = (db: Database) => db.pools.find(({ kind }) => kind === 'reads')

test('many reads at once share their connections, each gets its own response, and all are given back', async (t) => {
  const db = opened(t, { poolSize: 5 })
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => numbered(db, n)))
  assert.deepEqual(
    answers.map((answer) => answer?.n),
    Array.from({ length: 100 }, (_, n) => n),
  )
  assert.equal(new Set(answers.map((answer) => answer?.pid)).size, 2)
  assert.deepEqual(readsOf(db), { kind: 'reads', total: 2, idle: 2, most: 2, waiting: 0 })
})

test('a failed read leaves its connection to the next one', async (t) => {
  const db = opened(t, { poolSize: 4 })
  const first = await numbered(db, 1)
  await assert.rejects(db.row(sql`select 1 / ${0}::int`), { code: '22012' })
  assert.equal((await numbered(db, 2))?.pid, first?.pid)
})

test('when a connection breaks its read fails, and later reads get another one', async (t) => {
  const db = opened(t, { poolSize: 4 })
  const ended = db.row(sql`select pg_terminate_backend(pg_backend_pid())`)
  const behind = numbered(db, 1)
  await assert.rejects(ended, (error) => failureOf(error) === 'unavailable')
  assert.equal((await behind)?.n, 1)
  assert.deepEqual(readsOf(db), { kind: 'reads', total: 1, idle: 1, most: 2, waiting: 0 })
})

test('reads fail one by one when the database does not respond', async (t) => {
  const db = opened(t, {}, Object.assign(new URL(databaseUrl), { pathname: '/nowhere' }).href)
  const asked = await Promise.allSettled([numbered(db, 1), numbered(db, 2)])
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await assert.rejects(numbered(db, 3), /nowhere/)
  assert.deepEqual(readsOf(db)?.total, 0)
})

test('reads above the queue limit are refused at once, and one that waits too long is refused after a while', async (t) => {
  const db = opened(t, { poolSize: 4, maxWaiting: 2, waitTimeoutMs: 200 })
  const { release, waiters } = await hold(t, databaseUrl, 'select pg_advisory_xact_lock(hashtext($1))', ['reads'])
  const stuck = ['one', 'other'].map(() => db.row(sql`select pg_advisory_xact_lock_shared(hashtext(${'reads'}))`))
  await waiters(2)
  const waiting = [numbered(db, 1), numbered(db, 2)]
  await assert.rejects(numbered(db, 3), (error) => failureOf(error) === 'crowded')
  for (const one of waiting) await assert.rejects(one, (error) => failureOf(error) === 'unavailable')
  await release()
  await Promise.all(stuck)
})
