import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'
import { openDatabase } from '../../src/processes/api-server.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { databaseUrl } from '../support/world.ts'

// as a server opens it: what tests are given is more patient
const open = () => openDatabase({ connectionString: databaseUrl }, pino({ enabled: false }))
const db = open()
afterwards(file, () => db.close())

const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
const limitsIn = (asked: Db, statement = limits) => asked.row(statement)

test("the server's own queries take at most 3 s, a page 5 s, a report 15 s, and each waits 1 s for a lock", async () => {
  assert.deepEqual(await limitsIn(db.own), { statement: '3s', lock: '1s' })
  assert.deepEqual(await limitsIn(db), { statement: '5s', lock: '1s' })
  assert.deepEqual(await limitsIn(db, sql.customPlan(limits)), { statement: '15s', lock: '1s' })
  assert.deepEqual(await limitsIn(db), { statement: '5s', lock: '1s' })
})

test('a statement of a write takes at most 15 s, and waits 3 s for a lock', async () => {
  assert.deepEqual(await db.transaction((tx) => limitsIn(tx)), { statement: '15s', lock: '3s' })
})

test('a write takes at most 15 s in all, with any statements', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // its own: timers that idle connections had before could no longer be cleared, and would hold the process
  const db = open()
  afterwards(t, () => db.close())
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
  assert.ok(await limitsIn(db.own))
  assert.equal(ended, false)
  t.mock.timers.tick(1)
  await ending
})
