import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { Sql, sql } from '../../../src/db/sql.ts'
import { migratedDatabase, startServer } from '../../support/world.ts'

// of its own, because a migration changes the events of all organizations
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

const eventsOf = (orgId: string) =>
  db.rows<{ sequence: number; changes: unknown }>(sql`select * from events where org_id = ${orgId} order by sequence`)

test('long changes that were stored whole before are shortened when the database is migrated, and the others are unchanged', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const [long, labels] = ['ü'.repeat(2_000), Array.from({ length: 50 }, () => randomUUID())]
  await owner.patch(`/tasks/${id}`, { name: 'Short' })
  const before = await eventsOf(orgId)
  const whole = {
    description: { from: null, to: long },
    tagIds: { from: [], to: labels },
    name: { from: 'a', to: 'b' },
  }
  const last = before.at(-1) ?? assert.fail()
  await db.rows(sql`
    insert into events select org_id, sequence + 1, type, actor_id, actor_key_id, request_id, resource_id, project_id,
      ${JSON.stringify(whole)}::json, snapshot, created_at
    from events where org_id = ${orgId} and sequence = ${last.sequence}`)
  const script = await readFile(new URL('../../../migrations/0022_shortened_changes.sql', import.meta.url), 'utf8')
  await db.rows(new Sql([script], []))
  const migrated = await eventsOf(orgId)
  assert.deepEqual(migrated.slice(0, -1), before)
  const shortened = { from: null, to: `${'ü'.repeat(510)}…`, shortened: true }
  assert.deepEqual(migrated.at(-1)?.changes, { ...whole, description: shortened })
  assert.equal((await owner.get(`/tasks/${id}/history`)).body.data[0].changes.description.shortened, true)
})
