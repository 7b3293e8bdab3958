import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { Database } from '../../src/db/pool/database.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { goBetween } from '../support/go-between.ts'
import { outcome } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'
import { databaseUrl, migratedDatabase, startServer } from '../support/world.ts'

for (const [setting, wanted, given, sentence] of [
  ['time zone', 'UTC', 'GMT', 'GMT and ISO, MDY'],
  ['style of dates', 'ISO', 'SQL', 'UTC and SQL, MDY'],
] as const) {
  test(`if the ${setting} of a connection cannot be set, times would be wrong: a start is refused with a message`, async (t) => {
    const { url, drop } = await migratedDatabase()
    afterwards(t, drop)
    const between = await goBetween(t, url)
    between.rewrite((bytes) => Buffer.from(bytes.toString('latin1').replaceAll(wanted, given), 'latin1'))
    const { code, err } = await outcome(t, ['migrate'], { DATABASE_URL: between.url })
    assert.equal(code, 1)
    assert.deepEqual(err, [
      `The database does not let its connections be set to the time zone UTC and dates in ISO, but has ${sentence}: times would be wrong.`,
    ])
  })
}

test('a connection whose date style cannot be set later serves nobody: 503', async (t) => {
  const between = await goBetween(t)
  const { owner } = await (await startServer()).newWorld()
  const { api } = await startServer({ url: between.url })
  between.cut()
  between.rewrite((bytes) => Buffer.from(bytes.toString('latin1').replaceAll('ISO', 'SQL'), 'latin1'))
  assert.equal((await api(owner.key).get('/me')).status, 503)
  between.rewrite((bytes) => bytes)
  assert.equal((await api(owner.key).get('/me')).status, 200)
})

test('a database that is told to take no writes can be read, and written again when it takes them', async (t) => {
  const { url, readOnly } = await switchable(t)
  const { owner } = await (await startServer({ url })).newWorld()
  await readOnly(true)
  const api = (await startServer({ url })).api(owner.key)
  assert.equal((await api.get('/tags')).status, 200)
  assert.equal((await api.post('/tags', { name: 'A tag' }, { 'idempotency-key': 'k' })).status, 503)
  await readOnly(false)
  assert.equal((await api.post('/tags', { name: 'A tag' }, { 'idempotency-key': 'k' })).status, 201)
})

test('connections to a read-only database are not kept, however busy they are', async (t) => {
  const { url, readOnly } = await switchable(t)
  const db = new Database({ connection: { connectionString: url }, poolSize: 4 })
  afterwards(t, () => db.close())
  await readOnly(true)
  const onlyReads = async () => {
    const setting = sql`select current_setting('transaction_read_only') as value`
    return (await db.row<{ value: string }>(setting))?.value === 'on'
  }
  assert.ok(await onlyReads())
  await readOnly(false)
  const untilItWrites = async () => {
    while (await onlyReads());
  }
  await inTime(Promise.all([untilItWrites(), untilItWrites(), untilItWrites()]), 'The connection is kept')
})

/** A database of its own, and how to let it take writes or not. */
async function switchable(t: TestContext) {
  const { url, drop } = await migratedDatabase()
  afterwards(t, drop)
  const readOnly = async (on: boolean) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${on}`)
    await client.end()
  }
  return { url, readOnly }
}
