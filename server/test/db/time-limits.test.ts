import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import type { Db } from '../../src/db/db.ts'
import { failureOf } from '../../src/db/failures.ts'
import { sql } from '../../src/db/sql.ts'
import type { Transaction } from '../../src/db/transaction.ts'
import { openDatabase } from '../../src/processes/api-server.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { lineToDatabase } from '../support/silent-line.ts'
import { databaseUrl } from '../support/world.ts'

// as a server opens it: what tests are given is more patient
const opened = (connection: pg.ClientConfig) => openDatabase(connection, pino({ enabled: false }))
const db = opened({ connectionString: databaseUrl })
afterwards(file, () => db.close())

const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
const limitsIn = (asked: Db, statement = limits) => asked.row(statement)

test('a look-up takes 3 s, a page 5 s, a report 15 s, and each waits 1 s for a lock', async () => {
  assert.deepEqual(await limitsIn(db.lookUps), { statement: '3s', lock: '1s' })
  assert.deepEqual(await limitsIn(db), { statement: '5s', lock: '1s' })
  assert.deepEqual(await limitsIn(db, sql.customPlan(limits)), { statement: '15s', lock: '1s' })
})

test('a statement of a write takes 15 s, and waits 3 s for a lock, be its transaction shared or not', async () => {
  for (const mayShare of [false, true]) {
    const given = await db.transaction((tx) => limitsIn(tx), { mayShare })
    assert.deepEqual(given, { statement: '15s', lock: '3s' })
  }
})

test('a write takes 15 s in all, whatever its statements take', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const writing = db.transaction(async (tx) => {
    await tx.row(limits)
    begin()
    await tx.row(sql`select pg_sleep(14)`)
  })
  let ended = false
  const ending = assert.rejects(writing, { code: 'TOOK_LONG' }).finally(() => {
    ended = true
  })
  await begun
  t.mock.timers.tick(14_999)
  assert.ok(await limitsIn(db.lookUps))
  assert.equal(ended, false)
  t.mock.timers.tick(1)
  await ending
})

const one = sql`select 1 as one`

test('a write is lost after 4 s at BEGIN, then after 4.5 s where its connection alone is silent, and 8 s where all is', async (t) => {
  const lostAfter = await clock(t)
  const [begins, alone, all] = [await onLine(t), await onLine(t), await onLine(t)]
  const write = (tx: Transaction) => tx.row(one)
  await begins.db.transaction(write)
  await turn()
  begins.line.cut()
  await lostAfter(4_000, begins.db.transaction(write))
  await lostAfter(
    4_500,
    await begun(alone.db, write, async () => {
      alone.line.cut()
      // on a connection that is made now
      await alone.db.ownLookUps.row(one)
    }),
    // sooner than where all is silent: what is asked meanwhile takes a time that is none of this clock
    7_900,
  )
  await lostAfter(
    8_000,
    await begun(all.db, write, async () => {
      await all.db.ownLookUps.row(one)
      all.line.cut()
      all.line.mute()
    }),
  )
})

test('a write that the database is at work on is lost after 16 s without an answer', async (t) => {
  const lostAfter = await clock(t)
  await lostAfter(16_000, await begun(db, async (tx) => tx.send(sql`select pg_sleep(14)`)))
})

/** As a server opens it, by a line that can fall silent. */
async function onLine(t: TestContext) {
  const line = await lineToDatabase(t)
  const db = opened(line.connection)
  afterwards(t, () => {
    // for a line that is silent still a close needs a clock that runs
    t.mock.reset()
    return db.close()
  })
  return { line, db }
}

/** A write of which one statement is answered; it returns once what is done `between` is done, with what becomes of the last. */
function begun(
  db: ReturnType<typeof opened>,
  last: (tx: Transaction) => Promise<unknown>,
  between = async () => {},
): Promise<() => Promise<unknown>> {
  return new Promise((resolve) => {
    const ended = db.transaction(async (tx) => {
      await tx.row(one)
      await between()
      resolve(() => ended)
      await last(tx)
    })
  })
}

/** Stops the clock, and moves it on until something is lost, which must not be before then, nor much later. */
async function clock(t: TestContext) {
  // to let everybody else get as far as they come
  const other = new pg.Client({ connectionString: databaseUrl })
  await other.connect()
  afterwards(t, () => other.end())
  let nowMs = performance.now()
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  return async (ms: number, asked: Promise<unknown> | (() => Promise<unknown>), latestMs = ms + 400) => {
    let error: unknown
    const beganMs = nowMs
    ;(typeof asked === 'function' ? asked() : asked).then(
      () => {
        error = new Error('It is answered')
      },
      (failure) => {
        error = failure
      },
    )
    while (error === undefined && nowMs - beganMs < 60_000) {
      nowMs += 100
      t.mock.timers.tick(100)
      for (let n = 0; n < 10; n++) await other.query('select 1')
      // connections that are made meanwhile take a time that is none of this clock
      await other.query('select pg_sleep(0.01)')
    }
    assert.equal(failureOf(error), 'unavailable', String(error))
    const tookMs = Math.round(nowMs - beganMs)
    assert.ok(ms <= tookMs && tookMs <= latestMs, `It is lost after ${tookMs} ms`)
  }
}
