import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/db/pool/database.ts'
import { failureOf } from '../../src/db/pool/failures.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { lineToDatabase } from '../support/slow/silent-line.ts'
import { inTime } from '../support/until.ts'
import { apiOf, databaseUrl } from '../support/world.ts'

test('a write is given up before its time is over if the whole database falls silent after it', async (t) => {
  const line = await lineToDatabase(t)
  const db = databaseOf(t, line.connection)
  await db.own.row(sql`select 1`)
  const lost = db.transaction(async (tx) => {
    await tx.row(sql`select 1`)
    line.cut()
    line.mute()
    await tx.row(sql`select 2`)
  })
  await assert.rejects(inTime(lost, 'It is waited for'), (error) => failureOf(error) === 'unavailable')
})

for (const last of ['a statement', 'COMMIT']) {
  test(`a write whose connection falls silent before ${last} is given up before its time is over, and nothing more is sent on it`, async (t) => {
    const line = await lineToDatabase(t)
    const db = databaseOf(t, line.connection)
    const lost = db.transaction(async (tx) => {
      await tx.row(sql`select 1`)
      line.cut()
      if (last === 'a statement') await tx.row(sql`select 2`)
    })
    await assert.rejects(inTime(lost, 'It is waited for'), (error) => failureOf(error) === 'unavailable')
    assert.match(line.unheard(), last === 'COMMIT' ? /commit/ : /select 2/)
    assert.doesNotMatch(line.unheard(), /rollback/)
  })
}

test('a slow write continues, however often the server checks whether it does', async (t) => {
  const db = databaseOf(t, { connectionString: databaseUrl })
  const done = db.transaction((tx) => tx.row<{ done: boolean }>(sql`select pg_sleep(3) is not null as done`))
  assert.deepEqual(await done, { done: true })
})

test('a request behind silent connections gets a response in seconds, and the next one at once', async (t) => {
  const { DATABASE_URL } = await onMigratedDatabase(t)
  const line = await lineToDatabase(t, DATABASE_URL)
  const server = await serving(t, { DATABASE_URL: line.url })
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  let tags = 0
  const asked = () => Promise.all([owner.get('/tags'), owner.post('/tags', { name: `Tag ${++tags}` })])
  const statuses = async () => (await asked()).map(({ status }) => status)
  assert.deepEqual(await statuses(), [200, 201])
  line.cut()
  const begunMs = performance.now()
  for (const status of await statuses()) assert.ok([200, 201, 503].includes(status), String(status))
  // a page takes 6 s at most and a write 9 s; the rest is for this machine, which may be busy
  assert.ok(performance.now() - begunMs < 9_000 + 10_000)
  assert.deepEqual(await statuses(), [200, 201])
})

/** With limits that are two fifths of what they are, as they stand to each other. */
function databaseOf(t: Scope, connection: { connectionString: string } | object) {
  const limits = { transactionTimeoutMs: 6_000, statementTimeoutMs: 6_000, answerTimeoutMs: 20_000 }
  const db = new Database({ connection, ...limits, lockTimeoutMs: 1_200, promptTimeoutMs: 1_600, askAfterMs: 1_600 })
  afterwards(t, () => db.close())
  return db
}
