import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { failureOf } from '../../src/db/pool/failures.ts'
import { sql } from '../../src/db/sql.ts'
import { openDatabase } from '../../src/processes/api-server.ts'
import { afterwards } from '../support/afterwards.ts'
import { lineToDatabase } from '../support/slow/silent-line.ts'
import { databaseUrl } from '../support/world.ts'

// the only stopped clock of this file: a timer of another one that is cleared meanwhile would take away one of this clock
test("on a silent connection the server's own queries end after 4 s, a page after 6 s, a report after 16 s, the start of a write after 4 s", async (t) => {
  const lostAfterMs = await stoppedClock(t)
  const line = await lineToDatabase(t)
  const db = openDatabase(line.connection, pino({ enabled: false }))
  afterwards(t, () => {
    // to close it on a line that is silent needs a clock that runs
    t.mock.reset()
    return db.close()
  })
  const one = sql`select 1 as one`
  const ways = [
    [() => db.own.row(one), 4_000],
    [() => db.row(one), 6_000],
    [() => db.row(sql.customPlan(one)), 16_000],
    [() => db.transaction((tx) => tx.row(one)), 4_000],
  ] as const
  for (const [ask, ms] of ways) {
    await ask()
    // by then its connection is idle, and is the next one to be used
    await turn()
    line.cut()
    const tookMs = await lostAfterMs(ask())
    // two checks of ten in a second follow
    assert.ok(ms <= tookMs && tookMs <= ms + 300, `It is lost after ${tookMs} ms, and not ${ms}`)
    assert.deepEqual(await ask(), { one: 1 })
  }
})

/** Stops the clock. @returns what moves it on until something is lost, and says by how much */
async function stoppedClock(t: TestContext) {
  // while it asks, everybody else gets as far as they come
  const other = new pg.Client({ connectionString: databaseUrl })
  await other.connect()
  afterwards(t, () => other.end())
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  return async (asked: Promise<unknown>) => {
    const beganMs = nowMs
    let end: { answer: unknown } | { error: unknown } | undefined
    asked.then(
      (answer) => (end = { answer }),
      (error) => (end = { error }),
    )
    while (end === undefined && nowMs - beganMs < 60_000) {
      nowMs += 100
      t.mock.timers.tick(100)
      for (let n = 0; n < 10; n++) await other.query('select 1')
    }
    assert.ok(end && 'error' in end, `It is not lost, but ${JSON.stringify(end)}`)
    assert.equal(failureOf(end.error), 'unavailable')
    return nowMs - beganMs
  }
}
