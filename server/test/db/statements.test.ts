import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/db/database.ts'
import { Sql, sql } from '../../src/db/sql.ts'
import { databaseUrl } from '../support/world.ts'

test('however many different statements an organization sends, a connection keeps 250 of them, and answers all', async () => {
  const db = new Database({ connection: { connectionString: databaseUrl }, poolSize: 4 })
  try {
    for (let n = 0; n < 300; n++)
      assert.deepEqual(await db.forTenant('an organization').row(new Sql([`select ${n} as n`], [])), { n })
    const kept = await db
      .forTenant('an organization')
      .row(sql`select count(*)::integer as number from pg_prepared_statements`)
    assert.deepEqual(kept, { number: 250 })
  } finally {
    await db.close()
  }
})
