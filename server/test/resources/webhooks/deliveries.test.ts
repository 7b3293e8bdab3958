import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { sql } from '../../../src/db/sql.ts'
import { afterwards } from '../../support/afterwards.ts'
import { assertRefused, invalidFields } from '../../support/envelope.ts'
import { type Api, created, migratedDatabase, sharedServer, startServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const url = 'https://example.com/hook'
const newWebhook = (api: Api, fields: object = {}) => created(api.post('/webhooks', { url, ...fields }))
const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

test('a delivery shows its event, the result of each attempt, and the time of the next one', async () => {
  const { owner, delivery, tag } = await newWorld()
  const webhook = await newWebhook(owner)
  await tag()
  const { body: log } = await owner.get('/events?type=tag.created')
  const [event] = log.data
  const at = '2026-01-31T09:30:00.000Z'
  const attempts = [
    { at, status: null, ms: 15_000, error: 'No complete response within 15 seconds', answer: null },
    { at, status: 503, ms: 12, error: null, answer: 'Come back later' },
  ]
  const fields = { attempts: JSON.stringify(attempts), attemptCount: 2, status: 'pending', nextAttemptAt: at }
  const { id: eventId, sequence, type: eventType } = event
  const { id } = await delivery(webhook.id, { ...fields, sequence, eventId, eventType })
  const { status, body, headers } = await owner.get(`/deliveries/${id}`)
  const { createdAt, updatedAt, ...shown } = body
  assert.deepEqual(
    [status, shown],
    [
      200,
      {
        ...{ id, webhookId: webhook.id, eventId: event.id, sequence: event.sequence, eventType: 'tag.created' },
        ...{ status: 'pending', attempts, attemptCount: 2, nextAttemptAt: at, version: 1 },
      },
    ],
  )
  assert.equal(headers.get('etag'), `"${body.id}.1"`)
  assert.deepEqual((await owner.get(`/webhooks/${webhook.id}/deliveries`)).body, {
    data: [body],
    pagination: { nextCursor: null },
  })
})

test('the deliveries to a webhook are paged newest first: each one that stays comes once, while others are sent', async () => {
  const { owner, delivery } = await newWorld()
  const [webhook, other] = [await newWebhook(owner), await newWebhook(owner)]
  const made: string[] = []
  for (let i = 0; i < 7; i++) {
    made.unshift((await delivery(webhook.id, i % 3 === 0 ? { status: 'delivered' } : {})).id)
    await delivery(other.id)
  }
  const list = (query: string) => owner.get(`/webhooks/${webhook.id}/deliveries?${query}`)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`limit=2${cursor}`)
    seen.push(...idsOf(page))
    const { nextCursor } = page.body.pagination
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
    await delivery(webhook.id)
    assert.equal((await owner.post(`/deliveries/${seen.at(-1)}/redeliver`)).status, 200)
  }
  assert.deepEqual(seen, made)
  const { data } = (await list('status=delivered')).body
  assert.ok(data.length > 0 && data.every(({ status }: { status: string }) => status === 'delivered'))
  const { nextCursor } = (await list('limit=1')).body.pagination
  assert.deepEqual(invalidFields(await list('cursor=0198c0de-7a5b-8c3d-8e4f-5a6b7c8d9e0f')), ['cursor'])
  assert.deepEqual(invalidFields(await owner.get(`/tasks?cursor=${nextCursor}`)), ['cursor'])
})

test('a delivery with any result can be sent once more at once, under the next version, while its webhook is active', async () => {
  const { owner, delivery } = await newWorld()
  const webhook = await newWebhook(owner)
  for (const status of ['delivered', 'failed']) {
    const { id } = await delivery(webhook.id, { status })
    const redeliver = (headers = {}) => owner.post(`/deliveries/${id}/redeliver`, undefined, headers)
    assertRefused(await redeliver({ 'if-match': '"7"' }), 412, 'etag_mismatch')
    const { status: answered, body } = await redeliver({ 'if-match': '"1"' })
    assert.deepEqual([answered, body.status, body.version, body.attemptCount], [200, 'pending', 2, 1])
    assert.equal(body.nextAttemptAt, body.updatedAt)
    assert.equal((await redeliver()).body.version, 3)
  }
  const { id } = await delivery(webhook.id)
  assert.equal((await owner.post(`/webhooks/${webhook.id}/pause`)).status, 200)
  assertRefused(await owner.post(`/deliveries/${id}/redeliver`), 412, 'webhook_not_active')
  const { body } = await owner.get('/events?type=webhook.redelivered')
  assert.deepEqual(
    body.data.map(({ resource }: { resource: object }) => resource),
    Array.from({ length: 4 }, () => ({ type: 'webhook', id: webhook.id })),
  )
})

test('the deliveries of a deleted webhook, or of one whose project is deleted, are not there until it returns', async () => {
  const { owner, delivery, project } = await newWorld()
  const { id: projectId } = await project()
  const webhook = await newWebhook(owner, { projectId })
  const { id } = await delivery(webhook.id)
  const statuses = async () => {
    const [list, one, again] = [
      await owner.get(`/webhooks/${webhook.id}/deliveries`),
      await owner.get(`/deliveries/${id}`),
      await owner.post(`/deliveries/${id}/redeliver`),
    ]
    return [list, one, again].map(({ status }) => status)
  }
  for (const above of [`/webhooks/${webhook.id}`, `/projects/${projectId}`]) {
    assert.equal((await owner.delete(above)).status, 204)
    assert.deepEqual(await statuses(), [404, 404, 404], above)
    assert.equal((await owner.post(`${above}/restore`)).status, 200)
    assert.deepEqual(await statuses(), [200, 200, 200], above)
  }
})

test('a delivery from before events had their own ids keeps the id that it was sent with when the server is updated', async (t) => {
  const { url: connectionString, drop } = await migratedDatabase()
  afterwards(t, drop)
  const { db, newWorld } = await startServer({ url: connectionString })
  const sentAs = new Map<string, string>()
  const worlds = [await newWorld(), await newWorld()]
  for (const { orgId, owner, delivery } of worlds) {
    const webhook = await newWebhook(owner)
    for (const sequence of [1, 70_000, 5_000_000_000])
      sentAs.set((await delivery(webhook.id, { sequence })).id, idOfBefore(orgId, sequence))
  }
  await db.rows(sql`alter table deliveries drop column event_id`)
  await db.rows(sql`delete from migrations where name like '0041%'`)
  assert.deepEqual(await migrate({ connectionString }), ['0041_ids_of_deliveries.sql'])
  for (const { owner } of worlds) {
    const [webhook] = (await owner.get('/webhooks')).body.data
    const { data } = (await owner.get(`/webhooks/${webhook.id}/deliveries`)).body
    assert.equal(data.length, 3)
    for (const { id, eventId } of data) assert.equal(eventId, sentAs.get(id))
  }
})

/** The id of an event that was made of its sequence alone, as a UUID of version 8. */
function idOfBefore(orgId: string, sequence: number): string {
  const made = Buffer.alloc(24)
  made.write(orgId.replaceAll('-', ''), 'hex')
  made.writeBigInt64BE(BigInt(sequence), 16)
  const hex = createHash('sha256').update(made).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
