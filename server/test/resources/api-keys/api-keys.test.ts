import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { hold } from '../../support/holding.ts'
import { type Api, created, databaseUrl, type Reply, sharedServer } from '../../support/world.ts'

const { api, newWorld } = await sharedServer()

const hour = 3_600_000
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]
const newKey = (as: Api, fields: object = {}) => created(as.post('/api-keys', { name: 'Robot', ...fields }))
const idsSeenBy = async (as: Api, query = '') =>
  (await as.get(`/api-keys${query}`)).body.data.map(({ id }: { id: string }) => id)
/** The ids of the keys that a client has: the one it uses and the ones it made. */
const ownKeyOf = async (as: Api) => (await as.get('/me')).body.apiKey.id

test('a key belongs to its caller, has the scopes of the key in use, and does not expire unless set', async () => {
  const { member } = await newWorld()
  const reply = await member.post('/api-keys', { name: ' Robot ' })
  assert.equal(reply.status, 201)
  const { secret, ...key } = reply.body
  assert.equal(reply.headers.get('location'), `/api/v1/api-keys/${key.id}`)
  assert.deepEqual([key.name, key.memberId, key.scopes], ['Robot', member.memberId, ['read', 'write']])
  assert.deepEqual([key.expiresAt, key.lastUsedAt, key.revokedAt], [null, null, null])
  assert.ok(secret.startsWith(key.prefix) && secret.length > key.prefix.length + 20)
  assert.deepEqual((await member.get(`/api-keys/${key.id}`)).body, key)
  assert.equal((await api(secret).get('/me')).body.member.id, member.memberId)
})

test('the secret is only in the first response', async () => {
  const { owner } = await newWorld()
  const { id, secret } = await newKey(owner)
  const answers = [await owner.get('/api-keys'), await owner.get(`/api-keys/${id}`), await api(secret).get('/me')]
  for (const { text } of answers) assert.ok(!text.includes(secret) && !text.includes('secret'))
})

test('a member sees and revokes only its own keys, owners and admins those of all', async () => {
  const { owner, admin, member, join } = await newWorld()
  const other = await join('Olga Other', 'member')
  const [own, others] = [await ownKeyOf(member), await ownKeyOf(other)]
  assert.deepEqual(await idsSeenBy(member), [own])
  assert.deepEqual(await idsSeenBy(member, `?memberId=${other.memberId}`), [])
  assert.equal((await member.get(`/api-keys/${others}`)).status, 404)
  assert.equal((await member.delete(`/api-keys/${others}`)).status, 404)
  for (const leader of [owner, admin]) {
    assert.equal((await idsSeenBy(leader)).length, 4)
    assert.deepEqual(await idsSeenBy(leader, `?memberId=${other.memberId}`), [others])
  }
  assert.equal((await admin.delete(`/api-keys/${others}`)).status, 204)
  assert.equal((await other.get('/me')).status, 401)
})

test('an admin sees the keys of an owner, but cannot create, rotate or revoke them: 403', async () => {
  const { owner, admin } = await newWorld()
  const path = `/api-keys/${await ownKeyOf(owner)}`
  assert.equal((await admin.get(path)).status, 200)
  const refusals = [
    await admin.post('/api-keys', { name: 'Robot', memberId: owner.memberId }),
    await admin.post(`${path}/rotate`, {}),
    await admin.delete(path),
  ]
  for (const refusal of refusals) {
    assert.deepEqual(codeOf(refusal), [403, 'missing_role'])
    assert.equal(refusal.body.error, 'Your role in the organization does not allow this')
  }
  assert.equal((await owner.get('/api-keys')).body.total, 3)
})

test('nobody can create a key with wider scopes than the key in use: 403', async () => {
  const { owner } = await newWorld()
  const writing = await newKey(owner, { scopes: ['write'] })
  const writer = api(writing.secret)
  for (const scopes of [['read'], ['read', 'write'], ['write', 'read']]) {
    assert.deepEqual(codeOf(await writer.post('/api-keys', { name: 'Wider', scopes })), [403, 'wider_scopes'])
  }
  assert.deepEqual(codeOf(await writer.post(`/api-keys/${await ownKeyOf(owner)}/rotate`, {})), [403, 'wider_scopes'])
  assert.deepEqual((await newKey(writer)).scopes, ['write'])
})

test('a key can do only what its scopes allow: 403 for the rest', async () => {
  const { owner } = await newWorld()
  const reader = api((await newKey(owner, { scopes: ['read'] })).secret)
  const writer = api((await newKey(owner, { scopes: ['write'] })).secret)
  assert.equal((await reader.get('/tags')).status, 200)
  assert.deepEqual(codeOf(await reader.post('/tags', { name: 'Urgent' })), [403, 'missing_scope'])
  assert.deepEqual(codeOf(await writer.get('/tags')), [403, 'missing_scope'])
  assert.equal((await writer.post('/tags', { name: 'Urgent' })).status, 201)
})

test('scopes are one or both of read and write, each once: otherwise 422', async () => {
  const { owner } = await newWorld()
  for (const scopes of [[], ['admin'], ['read', 'read'], ['read', 'write', 'read'], 'read', null]) {
    const { status, body } = await owner.post('/api-keys', { name: 'Robot', scopes })
    assert.equal(status, 422)
    assert.match(Object.keys(body.details.fieldErrors).join(), /^scopes(\.0)?$/)
  }
})

test('a key can be set to expire, but only in the future', async () => {
  const { owner } = await newWorld()
  const expiresAt = fromNow(hour)
  const key = await newKey(owner, { expiresAt })
  assert.equal(key.expiresAt, expiresAt)
  assert.equal((await api(key.secret).get('/me')).status, 200)
  const { status, body } = await owner.post('/api-keys', { name: 'Robot', expiresAt: fromNow(-hour) })
  assert.deepEqual([status, body.details.fieldErrors], [422, { expiresAt: ['Must be in the future'] }])
})

test('a revoked key stays listed with the time of its revocation; revoking it again changes nothing', async () => {
  const { owner } = await newWorld()
  const { id, secret } = await newKey(owner)
  assert.equal((await owner.delete(`/api-keys/${id}`)).status, 204)
  assert.equal((await api(secret).get('/me')).status, 401)
  const { body: revoked } = await owner.get(`/api-keys/${id}`)
  assert.ok(Math.abs(Date.parse(revoked.revokedAt) - Date.now()) < hour)
  assert.equal((await owner.delete(`/api-keys/${id}`)).status, 204)
  assert.deepEqual((await owner.get(`/api-keys/${id}`)).body, revoked)
  assert.ok((await idsSeenBy(owner)).includes(id))
  assert.deepEqual(codeOf(await owner.post(`/api-keys/${id}/rotate`, {})), [412, 'api_key_revoked'])
})

test('rotating a key creates its successor; the old one works for 24 hours unless set otherwise', async () => {
  const { owner, member } = await newWorld()
  const old = await newKey(owner, { memberId: member.memberId, scopes: ['read'] })
  const reply = await owner.post(`/api-keys/${old.id}/rotate`)
  assert.equal(reply.status, 201)
  const { id, secret, memberId, name, scopes, expiresAt } = reply.body
  assert.equal(reply.headers.get('location'), `/api/v1/api-keys/${id}`)
  assert.deepEqual([memberId, name, scopes, expiresAt], [member.memberId, 'Robot', ['read'], null])
  for (const key of [old.secret, secret]) assert.equal((await api(key).get('/me')).status, 200)
  const { body: replaced } = await owner.get(`/api-keys/${old.id}`)
  assert.equal(Date.parse(replaced.expiresAt) - Date.parse(reply.body.createdAt), 24 * hour)
})

test('the key of a removed member cannot be rotated: 412; it works again when the member returns', async () => {
  const { owner, member } = await newWorld()
  const { id, secret } = await newKey(owner, { memberId: member.memberId })
  assert.equal((await owner.delete(`/members/${member.memberId}`)).status, 204)
  assert.deepEqual(codeOf(await owner.post(`/api-keys/${id}/rotate`)), [412, 'member_removed'])
  assert.equal(
    (await owner.get('/api-keys')).body.data.filter((key: { name: string }) => key.name === 'Robot').length,
    1,
  )
  assert.equal((await owner.post(`/members/${member.memberId}/restore`)).status, 200)
  assert.equal((await api(secret).get('/me')).status, 200)
  assert.equal((await owner.post(`/api-keys/${id}/rotate`)).status, 201)
})

test('after a rotation with an overlap of 0 hours the old key stops at once', async () => {
  const { owner } = await newWorld()
  const old = await newKey(owner)
  assert.equal((await api(old.secret).get('/me')).status, 200)
  const { secret } = await created(owner.post(`/api-keys/${old.id}/rotate`, { overlapHours: 0 }))
  assert.equal((await api(old.secret).get('/me')).status, 401)
  assert.equal((await api(secret).get('/me')).status, 200)
})

test('a rotation never extends the life of the old key, and gives the new one as long a life', async () => {
  const { owner } = await newWorld()
  const old = await newKey(owner, { expiresAt: fromNow(hour) })
  const next = await created(owner.post(`/api-keys/${old.id}/rotate`, { overlapHours: 720 }))
  assert.equal((await owner.get(`/api-keys/${old.id}`)).body.expiresAt, old.expiresAt)
  const lifeOf = (key: typeof next) => Date.parse(key.expiresAt) - Date.parse(key.createdAt)
  assert.equal(lifeOf(next), lifeOf(old))
})

test('the server records the use of a key', async () => {
  const { owner } = await newWorld()
  const { id, secret } = await newKey(owner)
  assert.equal((await owner.get(`/api-keys/${id}`)).body.lastUsedAt, null)
  await api(secret).get('/me')
  // it is noted beside the request
  for (let seen = null; seen === null; ) seen = (await owner.get(`/api-keys/${id}`)).body.lastUsedAt
})

test('nobody waits for a key whose use cannot be recorded because the key is being changed', async (t) => {
  const [{ owner }, { owner: other }] = [await newWorld(), await newWorld()]
  const { id, secret } = await newKey(owner)
  const held = await hold(t, databaseUrl, 'select 1 from api_keys where id = $1 for update', [id])
  assert.equal((await api(secret).get('/me')).status, 200)
  const asked = Promise.all(Array.from({ length: 20 }, () => other.get(`/tags/${randomUUID()}`)))
  const first = await Promise.race([asked.then(() => 'answers'), held.waiters(1).then(() => 'somebody who waits')])
  assert.equal(first, 'answers')
})
