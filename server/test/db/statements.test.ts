import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/db/pool/database.ts'
import { Sql, sql } from '../../src/db/sql.ts'
import { afterwards } from '../support/afterwards.ts'
import { databaseUrl } from '../support/world.ts'

const kept = sql`select count(*)::integer as number from pg_prepared_statements`

test('a connection keeps 500 statements, with any number of different ones, and all get a response', async (t) => {
  const db = new Database({ connection: { connectionString: databaseUrl }, poolSize: 4 })
  afterwards(t, () => db.close())
  await db.row(kept)
  for (let n = 0; n < 600; n++) assert.deepEqual(await db.row(new Sql([`select ${n} as n`], [])), { n })
  assert.deepEqual(await db.row(kept), { number: 500 })
})

test('a statement is planned once, or for its values each time if it says so, and the next one as before', async (t) => {
  const db = new Database({ connection: { connectionString: databaseUrl }, poolSize: 4 })
  afterwards(t, () => db.close())
  const planned = sql`select current_setting('plan_cache_mode') as mode`
  assert.deepEqual(await db.row(sql.customPlan(planned)), { mode: 'force_custom_plan' })
  await assert.rejects(db.row(sql.customPlan(sql`select 1 / ${0}::int`)), { code: '22012' })
  assert.deepEqual(await db.row(planned), { mode: 'force_generic_plan' })
})
