import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey } from '../../src/access/keys.ts'
import { altered } from '../support/altered.ts'
import { assertRefused } from '../support/envelope.ts'
import { request, sendRaw } from '../support/raw.ts'
import { type Api, created, operatorToken, startServer } from '../support/world.ts'

const { base, port, api, newWorld } = await startServer()

/** GET /me with exactly these headers. */
const me = (headers: Record<string, string>) => sendRaw(port, request('GET /api/v1/me', headers))

const worksNot = async ({ get }: Api) => assertRefused(await get('/me'), 401, 'unauthorized')

test('a caller is identified by an API key that belongs to a user inside an organization', async () => {
  const { owner, orgId } = await newWorld()
  const { status, body } = await owner.get('/me')
  assert.equal(status, 200)
  assert.equal(body.member.id, owner.memberId)
  assert.equal(body.organization.id, orgId)
  assert.equal(body.apiKey.memberId, owner.memberId)
  assert.ok(owner.key.startsWith(body.apiKey.prefix))
})

test('a key is sent as Authorization: Bearer, with the scheme in any case, or as X-API-Key, or as both', async () => {
  const { owner } = await newWorld()
  const { key } = owner
  const bearer = { Authorization: `Bearer ${key}` }
  for (const headers of [bearer, { Authorization: `bearer ${key}` }, { 'X-API-Key': key }]) {
    assert.equal((await me(headers)).body.member.id, owner.memberId)
  }
  assert.equal((await me({ ...bearer, 'X-API-Key': key })).status, 200)
})

test('a client that tries many invalid keys waits for its refusals, and callers with a key do not wait for that', async (t) => {
  const { owner, orgId } = await newWorld()
  const begunMs = performance.now()
  // however long they take to be read, they come at once
  t.mock.method(performance, 'now', () => begunMs)
  let waiting = 300
  const tries = Array.from({ length: waiting }, async () => {
    const { status } = await api(newKey(orgId).secret).get('/me')
    waiting--
    return status
  })
  await tries[0]
  const good = await Promise.all([1, 2, 3].map(() => owner.get('/me')))
  assert.ok(waiting > 0)
  assert.deepEqual(new Set(good.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(new Set(await Promise.all(tries)), new Set([401]))
  t.mock.restoreAll()
  // a hundred at once, the others a hundred in a second
  assert.ok(performance.now() - begunMs > 1_900)
})

test('two different keys in one request are refused: 401', async () => {
  const { owner, admin } = await newWorld()
  assertRefused(await me({ Authorization: `Bearer ${owner.key}`, 'X-API-Key': admin.key }), 401)
})

test('a missing, malformed or unknown key gets 401, always with the same words and WWW-Authenticate: Bearer', async () => {
  const { owner, orgId } = await newWorld()
  const { key } = owner
  const unknown = newKey(orgId).secret
  const ofNobody = newKey('01890000-0000-7000-8000-000000000000').secret
  const attempts: Record<string, string>[] = [
    {},
    { Authorization: '' },
    { Authorization: 'Bearer' },
    { Authorization: `Bearer  ${key} ${key}` },
    { Authorization: key },
    { Authorization: `Basic ${key}` },
    { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    { Authorization: 'Bearer x' },
    { 'X-API-Key': '' },
    { 'X-API-Key': `${key}, ${key}` },
    ...[key.slice(1), `${key}0`, key.slice(0, -1), key.toUpperCase(), `tw_${'z'.repeat(58)}`],
    ...[altered(key), altered(key, 30), altered(key, 5), unknown, ofNobody, operatorToken],
  ].map((attempt) => (typeof attempt === 'string' ? { Authorization: `Bearer ${attempt}` } : attempt))
  const replies = await Promise.all(attempts.map(me))
  for (const [i, reply] of replies.entries()) {
    assertRefused(reply, 401, 'unauthorized')
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer', JSON.stringify(attempts[i]))
  }
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
})

test('a key in the URL is not accepted: 401', async () => {
  const { owner } = await newWorld()
  for (const name of ['api_key', 'apiKey', 'access_token', 'key']) {
    assertRefused(await sendRaw(port, request(`GET /api/v1/me?${name}=${owner.key}`)), 401)
  }
})

test('a revoked key gets 401 at once', async () => {
  const { owner } = await newWorld()
  const made = await created(owner.post('/api-keys', { name: 'Robot' }))
  const robot = api(made.secret)
  assert.equal((await robot.get('/me')).status, 200)
  assert.equal((await owner.delete(`/api-keys/${made.id}`)).status, 204)
  await worksNot(robot)
  const { body } = await owner.get(`/api-keys/${made.id}`)
  assert.equal(typeof body.revokedAt, 'string')
})

test('a key can revoke itself', async () => {
  const { admin } = await newWorld()
  const { apiKey } = (await admin.get('/me')).body
  assert.equal((await admin.delete(`/api-keys/${apiKey.id}`)).status, 204)
  await worksNot(admin)
})

test('an expired key gets 401', async () => {
  const { owner } = await newWorld()
  const made = await created(owner.post('/api-keys', { name: 'Robot', expiresAt: '2099-01-01T00:00:00Z' }))
  const robot = api(made.secret)
  assert.equal((await robot.get('/me')).status, 200)
  const successor = await created(owner.post(`/api-keys/${made.id}/rotate`, { overlapHours: 0 }))
  await worksNot(robot)
  assert.equal((await api(successor.secret).get('/me')).body.apiKey.id, successor.id)
})

test('a rotated key still works during its overlap', async () => {
  const { owner } = await newWorld()
  const made = await created(owner.post('/api-keys', { name: 'Robot' }))
  await created(owner.post(`/api-keys/${made.id}/rotate`, { overlapHours: 1 }))
  assert.equal((await api(made.secret).get('/me')).status, 200)
})

test('deactivating a member stops its keys at once, and activating it makes them work again', async () => {
  const { owner, member } = await newWorld()
  assert.equal((await member.get('/me')).status, 200)
  await owner.patch(`/members/${member.memberId}`, { status: 'deactivated' })
  await worksNot(member)
  await owner.patch(`/members/${member.memberId}`, { status: 'active' })
  assert.equal((await member.get('/me')).status, 200)
})

test('the keys of a deleted member get 401 at once', async () => {
  const { owner, member } = await newWorld()
  assert.equal((await member.get('/me')).status, 200)
  assert.equal((await owner.delete(`/members/${member.memberId}`)).status, 204)
  await worksNot(member)
})

test('a changed role applies from the next request on', async () => {
  const { owner, member } = await newWorld()
  assertRefused(await member.post('/task-types', { name: 'Bug' }), 403)
  await owner.patch(`/members/${member.memberId}`, { role: 'admin' })
  assert.equal((await member.post('/task-types', { name: 'Bug' })).status, 201)
})

test('the server shows the secret of a key once, and stores only its SHA-256', async () => {
  const { owner } = await newWorld()
  const { secret, ...made } = await created(owner.post('/api-keys', { name: 'Robot' }))
  assert.match(secret, /^tw_[0-9A-Za-z]{58}$/)
  const { body } = await owner.get(`/api-keys/${made.id}`)
  assert.deepEqual(body, made)
  const list = await owner.get('/api-keys')
  assert.ok(!list.text.includes(secret))
})

test('a key with the scope read can read, and gets 403 for every write', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const { secret } = await created(owner.post('/api-keys', { name: 'Reader', scopes: ['read'] }))
  const reader = api(secret)
  assert.equal((await reader.get(`/tags/${id}`)).status, 200)
  const writes = [
    reader.post('/tags', { name: 'x' }),
    reader.patch(`/tags/${id}`, { name: 'x' }),
    reader.delete(`/tags/${id}`),
    reader.post('/api-keys', { name: 'Wider', scopes: ['read', 'write'] }),
  ]
  for (const reply of await Promise.all(writes)) assertRefused(reply, 403, 'missing_scope')
})

test('a key with only the scope write can read nothing: 403', async () => {
  const { owner } = await newWorld()
  const { secret } = await created(owner.post('/api-keys', { name: 'Writer', scopes: ['write'] }))
  assertRefused(await api(secret).get('/tags'), 403, 'missing_scope')
  assert.equal((await api(secret).post('/tags', { name: 'x' })).status, 201)
})

test('health checks and the API description require no key', async () => {
  for (const path of ['/healthz', '/readyz', '/api/v1/openapi.json']) {
    assert.equal((await fetch(base + path)).status, 200)
  }
})
