import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import pg from 'pg'
import { backUp } from '../../src/db/backup/back-up.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { Database } from '../../src/db/pool/database.ts'
import { failureOf } from '../../src/db/pool/failures.ts'
import { listenTo } from '../../src/db/pool/listening.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { goBetween } from '../support/go-between.ts'
import { hold } from '../support/holding.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { lineToDatabase } from '../support/slow/silent-line.ts'
import { inTime, until } from '../support/until.ts'
import { apiOf, databaseUrl, migratedDatabase } from '../support/world.ts'

test('a database that falls silent is given up after a while, and asked again on another connection', async (t) => {
  const line = await lineToDatabase(t)
  const db = new Database({ connection: line.connection, answerTimeoutMs: 2_000 })
  afterwards(t, () => db.close())
  for (const way of [db, db.own]) {
    const ask = () => way.row<{ one: number }>(sql`select 1 as one`)
    assert.deepEqual(await ask(), { one: 1 })
    line.cut()
    await assert.rejects(ask(), (error) => failureOf(error) === 'unavailable')
    assert.deepEqual(await ask(), { one: 1 })
  }
})

test('a transaction whose database falls silent fails, and gives its connection back', async (t) => {
  const line = await lineToDatabase(t)
  const db = new Database({ connection: line.connection, poolSize: 4, answerTimeoutMs: 2_000 })
  afterwards(t, () => db.close())
  const transaction = db.transaction(async (tx) => {
    await tx.row(sql`select 1`)
    line.cut()
    await tx.row(sql`select 2`)
  })
  await assert.rejects(transaction, (error) => failureOf(error) === 'unavailable')
  const next = await db.transaction((tx) => tx.row(sql`select 3 as three`))
  assert.deepEqual(next, { three: 3 })
})

test('a transaction that ended in time gets its own result, however long its undo takes', async (t) => {
  const line = await lineToDatabase(t)
  const limits = { transactionTimeoutMs: 2_000, answerTimeoutMs: 4_000 }
  const db = new Database({ connection: line.connection, poolSize: 4, ...limits })
  afterwards(t, () => db.close())
  const transaction = db.transaction(async (tx) => {
    await tx.row(sql`select 1`)
    line.cut()
    throw new Error('refused')
  })
  await assert.rejects(transaction, /^Error: refused$/)
  assert.match(line.unheard(), /rollback/)
})

test('a connection that takes no more statements, as to a standby after a while, is also given up when it falls silent', async (t) => {
  const line = await lineToDatabase(t)
  const connection = { ...line.connection, options: '-c default_transaction_read_only=on' }
  const db = new Database({ connection, poolSize: 4, answerTimeoutMs: 6_000 })
  afterwards(t, () => db.close())
  assert.deepEqual(await db.row(sql`select 1 as one`), { one: 1 })
  line.cut()
  const asked = inTime(db.row(sql`select 2 as two`), 'Its answer is waited for')
  await assert.rejects(asked, (error) => failureOf(error) === 'unavailable')
})

test('after one connection fell silent, those that were idle at the time are not used any more', async (t) => {
  const line = await lineToDatabase(t)
  const db = new Database({ connection: line.connection, poolSize: 12, answerTimeoutMs: 2_000 })
  afterwards(t, () => db.close())
  const ways = [
    () => db.own.row(sql`select 1 as one`),
    () => db.row(sql`select 1 as one`),
    () => db.row(sql.customPlan(sql`select 1 as one`)),
    () => db.transaction((tx) => tx.row(sql`select 1 as one`)),
  ]
  for (const ask of ways) {
    await Promise.all(ways.flatMap((ask) => [ask(), ask()]))
    line.cut()
    await assert.rejects(ask(), (error) => failureOf(error) === 'unavailable')
    for (const ask of ways) assert.deepEqual(await ask(), { one: 1 })
  }
})

test('a database that falls silent does not prevent the server from ending', async (t) => {
  const line = await lineToDatabase(t)
  const db = new Database({ connection: line.connection, poolSize: 4 })
  const stopListening = await db.listen('nothing', () => {})
  await Promise.all([db.row(sql`select 1`), db.own.row(sql`select 1`)])
  line.cut()
  await inTime(Promise.all([stopListening(), db.close()]), 'It does not end')
})

test('a listener notices that the database fell silent, and hears again on another connection', async (t) => {
  const line = await lineToDatabase(t)
  const heard = linesHeard()
  const wanted = { channel: 'silence', onNotify: heard.note, pingEveryMs: 600, answerTimeoutMs: 3_000 }
  const stop = await listenTo(line.connection, wanted)
  afterwards(t, stop)
  line.cut()
  // at first, when the connection was given up, and when there was another; on a slow machine that may be given up, too
  await heard.times(3)
  await untilHeard(heard, 'silence')
  assert.deepEqual(
    [heard.all.slice(0, 3), new Set(heard.all)],
    [Array(3).fill(undefined), new Set([undefined, 'hello'])],
  )
})

test('a listener ends while it connects to a database that says nothing', async (t) => {
  const line = await lineToDatabase(t)
  const wanted = { channel: 'ended', onNotify: () => {}, answerTimeoutMs: 600_000 }
  const stop = await listenTo(line.connection, wanted)
  line.mute()
  line.drop()
  await line.taken(2)
  await inTime(stop(), 'It does not end')
})

test('a listener that cannot listen retries until it works, and learns that it may have missed something', async (t) => {
  const between = await goBetween(t)
  between.interfere((text) => (text.startsWith('listen') ? 'refuse' : undefined))
  const [heard, failed] = [linesHeard(), linesHeard()]
  const stop = await listenTo(
    { connectionString: between.url },
    { channel: 'refused', onNotify: heard.note, onFailure: ({ message }) => failed.note(message) },
  )
  afterwards(t, stop)
  await heard.times(2)
  between.interfere(() => undefined)
  await untilHeard(heard, 'refused')
  assert.deepEqual(failed.all, ['canceling statement due to user request'])
})

/** What was heard, undefined where something may have been missed. */
function linesHeard() {
  const all: (string | undefined)[] = []
  const spoken = new EventEmitter()
  return {
    all,
    note(payload: string | undefined) {
      all.push(payload)
      spoken.emit('heard')
    },
    async times(count: number) {
      while (all.length < count) await inTime(once(spoken, 'heard'), `Only this was heard: ${all}`)
    },
  }
}

/** Says hello until it is heard: who is connecting misses it. */
const untilHeard = (heard: ReturnType<typeof linesHeard>, channel: string) =>
  until(async () => {
    await notify(channel, 'hello')
    return heard.all.includes('hello')
  }, 'Nobody hears it')

async function notify(channel: string, payload: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('select pg_notify($1, $2)', [channel, payload])
  await client.end()
}

test('a command gives up a database that accepts a connection and says nothing', async (t) => {
  const line = await lineToDatabase(t)
  line.mute()
  await assert.rejects(inTime(migrate(line.connection), 'It does not give up'), /timeout expired/)
})

test('a command gives up a database that falls silent while it waits for another process', async (t) => {
  const { url, drop } = await migratedDatabase()
  afterwards(t, drop)
  const line = await lineToDatabase(t, url)
  // as it is held by whoever migrates
  await hold(t, url, 'select pg_advisory_xact_lock(7265100001)')
  const waiting = migrate(line.connection, undefined, { say: () => line.cut() })
  await assert.rejects(inTime(waiting, 'It does not give up'), (error) => failureOf(error) === 'unavailable')
})

const withSnapshots = onPlainPostgres('a cluster has no common snapshot')

test('a backup gives up a database that falls silent, so that another backup can be made', withSnapshots, async (t) => {
  const line = await lineToDatabase(t)
  let written = 0
  const sink = {
    async write() {
      // behind what the archive says of itself come the first rows
      if (++written === 2) line.cut()
    },
  }
  const backup = backUp(line.connection, sink, { version: 'test', silentAfterMs: 500 })
  await assert.rejects(inTime(backup, 'It does not give up'), /^ArchiveProblem: The database stopped answering/)
})

for (const WORKERS of ['1', '2']) {
  test(`a silent database prevents no server from saying that it lives, or from ending within 20 s (WORKERS=${WORKERS})`, async (t) => {
    const { DATABASE_URL } = await onMigratedDatabase(t)
    const line = await lineToDatabase(t, DATABASE_URL)
    const server = await serving(t, { DATABASE_URL: line.url, WORKERS })
    const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
    assert.equal((await owner.get('/me')).status, 200)
    line.cut()
    line.mute()
    const asked = Promise.allSettled(Array.from({ length: 20 }, () => owner.get('/tags')))
    for (let n = 0; n < 4; n++) {
      const alive = await fetch(`${server.base}/healthz`, { headers: { connection: 'close' } })
      assert.equal(alive.status, 200)
    }
    const begunMs = performance.now()
    assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null })
    // of this machine, which may be busy, rather than of the server
    const patienceMs = 10_000
    assert.ok(performance.now() - begunMs < 20_000 + patienceMs)
    await asked
  })
}
