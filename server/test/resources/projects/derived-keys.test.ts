import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { created, sharedServer } from '../../support/world.ts'

const { db, newWorld } = await sharedServer()

test('a derived key is the first free one, with any number of projects with such keys, deleted or not', async () => {
  const { owner, orgId } = await newWorld()
  await db.rows(sql`
    insert into projects (org_id, id, name, name_key, key, created_at, updated_at, deleted_at)
    select ${orgId}::uuid, gen_random_uuid(), 'Website', 'website', 'WEBS' || n, now(), now(), case when n % 2 = 0 then now() end
    from generate_series(2, 20000) n`)
  const keyOf = async () => (await created(owner.post('/projects', { name: 'Website' }))).key
  assert.equal(await keyOf(), 'WEBS')
  assert.equal(await keyOf(), 'WEBS20001')
  assert.equal(await keyOf(), 'WEBS20002')
})
