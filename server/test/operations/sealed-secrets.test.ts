import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Sql, sql } from '../../src/db/sql.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { assertRefused } from '../support/envelope.ts'
import {
  type Api,
  created,
  migratedDatabase,
  operatorToken,
  type Reply,
  startServer,
  type World,
} from '../support/world.ts'

// all of its rows are read, again and again
const database = await migratedDatabase()
afterwards(file, database.drop)
const { api, db, logged, newWorld } = await startServer({ url: database.url })

const url = 'https://example.com/hook'

type Ask = (by: Api, key: string) => Promise<Reply>

/** The POST requests whose answers hold a secret. */
const secretKinds: Record<string, (world: World) => Promise<Ask> | Ask> = {
  'POST /api-keys': () => (by, key) => by.post('/api-keys', { name: 'Robot' }, { 'idempotency-key': key }),
  'POST /api-keys/{id}/rotate': async ({ owner }) => {
    const { id } = await created(owner.post('/api-keys', { name: 'Old' }))
    return (by, key) => by.post(`/api-keys/${id}/rotate`, undefined, { 'idempotency-key': key })
  },
  'POST /webhooks': () => (by, key) => by.post('/webhooks', { url }, { 'idempotency-key': key }),
  'POST /webhooks/{id}/rotate-secret': async ({ owner }) => {
    const { id } = await created(owner.post('/webhooks', { url }))
    return (by, key) => by.post(`/webhooks/${id}/rotate-secret`, undefined, { 'idempotency-key': key })
  },
}

for (const [kind, askOf] of Object.entries(secretKinds)) {
  test(`${kind}: the API key that asked for the secret gets it replayed`, async () => {
    const world = await newWorld()
    const ask = await askOf(world)
    const [first, second] = [await ask(world.owner, 'k'), await ask(world.owner, 'k')]
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.ok(first.status < 300 && first.body.secret !== undefined, first.text)
    assert.deepEqual([second.status, second.text], [first.status, first.text])
    if (kind.includes('api-keys')) assert.equal((await api(second.body.secret).get('/me')).status, 200)
  })

  test(`${kind}: another API key of the same user does not get the secret replayed, but 403`, async () => {
    const world = await newWorld()
    const ask = await askOf(world)
    const second = api((await created(world.owner.post('/api-keys', { name: 'Second' }))).secret)
    const { secret } = (await ask(world.owner, 'k')).body
    const reply = await ask(second, 'k')
    assertRefused(reply, 403, 'sealed')
    assert.ok(secret.length > 40 && !reply.text.includes(secret))
  })

  test(`${kind}: a refusal contains no secret and is replayed to every key of the user`, async () => {
    const { owner } = await newWorld()
    const second = api((await created(owner.post('/api-keys', { name: 'Second' }))).secret)
    const path = kind.slice('POST '.length).replace('{id}', randomUUID())
    const first = await owner.post(path, { nonsense: 1 }, { 'idempotency-key': 'k' })
    assert.ok(first.status === 422 || first.status === 404)
    const again = await second.post(path, { nonsense: 1 }, { 'idempotency-key': 'k' })
    assert.deepEqual([again.status, again.text], [first.status, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })
}

test('no cache stores a response with a secret or its replay: no-store', async () => {
  const world = await newWorld()
  const operator = api(operatorToken)
  const founding = { name: 'Org', owner: { name: 'Ann', email: 'ann@example.com' } }
  const key = randomUUID()
  const asks: (() => Promise<Reply>)[] = [() => operator.post('/organizations', founding, { 'idempotency-key': key })]
  for (const askOf of Object.values(secretKinds)) {
    const [ask, own] = [await askOf(world), randomUUID()]
    asks.push(() => ask(world.owner, own))
  }
  for (const ask of asks) {
    for (const reply of [await ask(), await ask()]) {
      assert.ok(reply.status < 300, reply.text)
      assert.equal(reply.headers.get('cache-control'), 'no-store')
    }
  }
})

test('the stored response to a request for a secret is sealed', async () => {
  const { owner, orgId } = await newWorld()
  const { secret } = await created(owner.post('/api-keys', { name: 'Robot' }, { 'idempotency-key': 'k' }))
  const stored = await db.row<{ sealed: boolean; body: Buffer }>(sql`
    select sealed, body from idempotency_keys where org_id = ${orgId} and key = 'k'`)
  assert.equal(stored?.sealed, true)
  assert.ok(!stored.body.includes(secret))
  assert.ok(!stored.body.includes('Robot'))
})

test('no secret is in the database or in the log in plain text: not of a created, rotated or first key, nor of a webhook', async () => {
  const { owner } = await newWorld()
  const made = await created(owner.post('/api-keys', { name: 'Robot' }, { 'idempotency-key': 'k' }))
  const rotated = await created(owner.post(`/api-keys/${made.id}/rotate`, {}, { 'idempotency-key': 'r' }))
  const founded = await created(
    api(operatorToken).post(
      '/organizations',
      { name: 'Acme', owner: { name: 'Ann', email: 'ann@example.com' } },
      { 'idempotency-key': randomUUID() },
    ),
  )
  const webhook = await created(owner.post('/webhooks', { url }, { 'idempotency-key': 'w' }))
  const turned = await owner.post(`/webhooks/${webhook.id}/rotate-secret`, {}, { 'idempotency-key': 't' })
  const ofWebhook = [webhook.secret, turned.body.secret].map((secret) => secret.slice('whsec_'.length))
  const raw = ofWebhook.map((secret) => Buffer.from(secret, 'base64').toString('hex'))
  const ofKeys = [made.secret, rotated.secret, founded.apiKey.secret]
  for (const secret of [owner.key, ...ofKeys, operatorToken, ...ofWebhook, ...raw]) {
    assert.deepEqual(await tablesThatHold(secret), [])
    assert.ok(!logged.join('').includes(secret))
  }
  assert.deepEqual(await tablesThatHold(made.id), ['api_keys', 'events', 'idempotency_keys'])
})

/** The tables with a row in which a text stands: as text, or as bytes, which PostgreSQL prints in hexadecimal. */
async function tablesThatHold(text: string): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  const holding: string[] = []
  const patterns = [text, Buffer.from(text).toString('hex')].map((part) => `%${part}%`)
  for (const { name } of tables) {
    const found = await db.row(sql`
      select from ${new Sql([name], [])} as stored where stored::text like any(${patterns}) limit 1`)
    if (found) holding.push(name)
  }
  return holding
}
