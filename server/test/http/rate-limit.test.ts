import assert from 'node:assert/strict'
import { test } from 'node:test'
import { created, operatorToken, startServer } from '../support/world.ts'

test('a member who used up the rate limit gets 429 with Retry-After, and others are served', async () => {
  const { newWorld: elsewhere } = await startServer()
  const { api } = await startServer({ rateLimit: { requests: 3, windowMs: 3_600_000 } })
  const { owner, member } = await elsewhere()
  const limited = api(owner.key)
  for (const left of [2, 1, 0]) {
    const { status, headers } = await limited.get('/tags')
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit-policy'), '"default";q=3;w=3600')
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"default";r=${left};t=3[56]\\d\\d$`))
  }
  const refused = await limited.post('/tags', { name: 'One too many' }, { 'idempotency-key': 'k' })
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.body, { error: 'Too many requests; wait and try again' })
  assert.ok(Number(refused.headers.get('retry-after')) > 3_500)
  assert.equal((await api(member.key).get('/tags')).status, 200)
  // 429 is never stored: elsewhere the same request takes effect
  assert.equal((await owner.post('/tags', { name: 'One too many' }, { 'idempotency-key': 'k' })).status, 201)
})

test('keys that a member creates share one rate', async () => {
  const { newWorld: elsewhere } = await startServer()
  const { api } = await startServer({ rateLimit: { requests: 3, windowMs: 3_600_000 } })
  const { owner } = await elsewhere()
  const secrets = [owner.key]
  for (const name of ['one', 'two', 'three']) secrets.push((await created(owner.post('/api-keys', { name }))).secret)
  const statuses = []
  for (const secret of secrets) statuses.push((await api(secret).get('/tags')).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('members created for the purpose share the rate of their organization, and another organization has its own', async () => {
  const { newWorld: elsewhere } = await startServer()
  const limits = {
    rateLimit: { requests: 3, windowMs: 60_000 },
    organizationRateLimit: { requests: 7, windowMs: 3_600_000 },
  }
  const { api } = await startServer(limits)
  const [{ owner, admin, member }, other] = [await elsewhere(), await elsewhere()]
  const statuses = []
  for (const { key } of [owner, owner, owner, owner, admin, admin, admin, member]) {
    statuses.push((await api(key).get('/tags')).status)
  }
  // what one member was refused is not taken from the others
  assert.deepEqual(statuses, [200, 200, 200, 429, 200, 200, 200, 200])
  const refused = await api(member.key).get('/tags')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('ratelimit-policy'), '"organization";q=7;w=3600')
  assert.match(refused.headers.get('ratelimit') ?? '', /^"organization";r=0;t=3[56]\d\d$/)
  assert.equal((await api(other.owner.key).get('/tags')).status, 200)
})

test('an organization has ten times the rate of a member unless set otherwise', async () => {
  const { newWorld: elsewhere } = await startServer()
  const { api } = await startServer({ rateLimit: { requests: 1, windowMs: 3_600_000 } })
  const { owner, join } = await elsewhere()
  const keys = [owner.key]
  for (let n = 0; n < 10; n++) keys.push((await join(`Member ${n}`, 'member')).key)
  const statuses = []
  for (const key of keys) statuses.push((await api(key).get('/tags')).status)
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429])
})

test('a clock that is set back stops nobody from sending requests for longer', async (t) => {
  const { newWorld: elsewhere } = await startServer()
  const { api } = await startServer({ rateLimit: { requests: 1, windowMs: 60_000 } })
  const { owner } = await elsewhere()
  assert.equal((await api(owner.key).get('/tags')).status, 200)
  const hourAgoMs = Date.now() - 3_600_000
  t.mock.method(Date, 'now', () => hourAgoMs)
  const { status, headers } = await api(owner.key).get('/tags')
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) <= 60)
})

test('without a rate limit, the server sends no rate limit headers', async () => {
  const { newWorld } = await startServer()
  const { owner } = await newWorld()
  assert.equal((await owner.get('/tags')).headers.get('ratelimit'), null)
})

test('/metrics takes the operator token and counts requests by route, never by id', async () => {
  const { base, newWorld } = await startServer()
  const { owner, tag } = await newWorld()
  for (let i = 0; i < 3; i++) await owner.get(`/tags/${(await tag()).id}`)
  assert.equal((await fetch(`${base}/metrics`)).status, 401)
  const response = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  const text = await response.text()
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^http_requests_total\{method="GET",route="\/api\/v1\/tags\/:id",status="200"\} 3$/m)
  assert.match(text, /^database_waiting\{pool="reads"\} 0$/m)
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}/)
})
