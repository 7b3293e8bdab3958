import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { created, operatorToken, startServer } from '../../support/world.ts'

const { base, db, newWorld } = await startServer()

const headers = { authorization: `Bearer ${operatorToken}` }

/** How many rows the statements have given by which projects are made. */
async function rowsRead() {
  const text = await (await fetch(`${base}/metrics`, { headers })).text()
  return Number(/database_statement_rows_total\{operation="projects\.create"\} (\d+)/.exec(text)?.[1] ?? 0)
}

test('a derived key is free however many projects have such keys, and what is read to find it does not grow with them', async () => {
  const { owner, orgId } = await newWorld()
  await db.rows(sql`
    insert into projects (org_id, id, name, name_key, key, created_at, updated_at, deleted_at)
    select ${orgId}::uuid, gen_random_uuid(), 'Website', 'website', 'WEBS' || n, now(), now(), case when n % 2 = 0 then now() end
    from generate_series(2, 20000) n`)
  const keyOf = async () => (await created(owner.post('/projects', { name: 'Website' }))).key
  assert.equal(await keyOf(), 'WEBS')
  assert.equal(await keyOf(), 'WEBS20001')
  assert.equal(await keyOf(), 'WEBS20002')
  const rows = await rowsRead()
  assert.ok(rows > 0 && rows < 1_000, `${rows} rows`)
})
