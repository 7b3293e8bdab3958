import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { dueWebhooks, readNext } from '../../../src/jobs/deliveries/due.ts'
import { plannedServer, touched } from '../../support/slow/plans.ts'

const { db, newWorld, planner } = await plannedServer()

test('the next deliveries are found without looking at past deliveries', async () => {
  const { orgId, owner } = await newWorld()
  const { id } = (await owner.post('/webhooks', { url: 'https://example.com/hook' })).body
  const now = new Date()
  const told = { webhookId: id, eventType: 'tag.created', createdAt: now, updatedAt: now }
  await db.rows(sql`
    insert into deliveries (org_id, id, webhook_id, sequence, event_id, event_type, status, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), ${id}, n, gen_random_uuid(), 'tag.created', 'delivered',
      ${now.toISOString()}, ${now.toISOString()}
    from generate_series(1, 20000) n`)
  const pending = {
    ...told,
    orgId,
    id: randomUUID(),
    eventId: randomUUID(),
    sequence: 20_001,
    status: 'pending',
    nextAttemptAt: now,
  }
  await db.rows(sql`insert into deliveries ${sql.values(pending)}`)
  // as many events as there are deliveries
  await db.rows(sql`
    insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
    select ${orgId}, n, 'tag.created', '', ${id}, '{}', '{}', ${now.toISOString()} from generate_series(101, 20000) n`)
  for (const analyzed of [false, true]) {
    if (analyzed)
      for (const table of ['deliveries', 'events', 'webhooks']) await db.rows(sql`analyze ${sql.named(table)}`)
    const plans = await planner.plansOf(async () => {
      assert.equal((await readNext(db, { orgId, id }, now))?.deliveryId, pending.id)
      assert.ok((await dueWebhooks(db, now, { leastUnwanted: 100 })).length > 0)
      assert.ok((await dueWebhooks(db, now, { leastUnwanted: 100, orgIds: [orgId] })).length > 0)
    })
    assert.equal(plans.length, 3)
    for (const plan of plans) assert.ok(touched(plan) <= 100, `${touched(plan)} rows: ${plan.statement.text}`)
  }
})
