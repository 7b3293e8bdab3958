import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorToken, startServer } from './world.ts'

test('a key that used up its rate limit gets 429 with Retry-After, and other keys are served', async () => {
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

test('without a limit no rate limit headers are sent', async () => {
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
  assert.match(text, /^database_connections\{state="waiting"\} 0$/m)
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}/)
})
