import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { inCopyTransactionOn } from '../../src/db/copy/copy-transaction.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { Database } from '../../src/db/pool/database.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { databaseUrl } from '../support/world.ts'

const connection = { connectionString: databaseUrl }

test('every connection that waits for the database checks after 15 s of silence whether it is still there', async (t) => {
  const db = new Database({ connection, poolSize: 4 })
  afterwards(t, () => db.close())
  const asked = t.mock.method(Socket.prototype, 'setKeepAlive').mock
  const ways = {
    page: () => db.row(sql`select 1`),
    own: () => db.own.row(sql`select 1`),
    write: () => db.transaction((tx) => tx.row(sql`select 1`)),
    listener: async () => (await db.listen('nothing', () => {}))(),
    migration: () => migrate(connection),
    load: () => inCopyTransactionOn(connection, (tx) => tx.query('select 1')),
  }
  for (const [name, connect] of Object.entries(ways)) {
    asked.resetCalls()
    await connect()
    assert.deepEqual([...new Set(asked.calls.map(({ arguments: given }) => given.join()))], ['true,15000'], name)
  }
})
