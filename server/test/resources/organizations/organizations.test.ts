import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Authenticator } from '../../../src/access/auth.ts'
import { sql } from '../../../src/db/sql.ts'
import { operatorToken, startServer } from '../../support/world.ts'

const { api, db, newWorld } = await startServer()

const operator = api(operatorToken)
const newFounding = () => ({
  name: `Org ${randomUUID()}`,
  owner: { name: 'Olivia Owner', email: 'Olivia@Example.com' },
})

test('the operator creates an organization, and gets it, its owner and the first key of the owner', async () => {
  const founding = newFounding()
  const reply = await operator.post('/organizations', founding)
  assert.equal(reply.status, 201)
  assert.equal(reply.headers.get('location'), '/api/v1/organization')
  const { organization, owner, apiKey } = reply.body
  assert.deepEqual(Object.keys(reply.body), ['organization', 'owner', 'apiKey'])
  assert.deepEqual(
    [organization.name, organization.timezone, organization.weekStart, organization.settings],
    [founding.name, 'UTC', 'monday', { timerPolicy: 'stop_previous', overlapPolicy: 'allow', timeLockedBefore: null }],
  )
  assert.deepEqual([owner.name, owner.email, owner.role], ['Olivia Owner', 'olivia@example.com', 'owner'])
  assert.deepEqual([apiKey.memberId, apiKey.scopes, apiKey.expiresAt], [owner.id, ['read', 'write'], null])
  const { secret, ...key } = apiKey
  const { body: me } = await api(secret).get('/me')
  assert.deepEqual([me.member, me.organization, me.apiKey.id], [owner, organization, key.id])
})

test('without an operator token, POST /organizations gets 404 for every key', async () => {
  const server = await startServer({ authenticator: new Authenticator(db, undefined, () => {}) })
  const { owner } = await newWorld()
  for (const key of [operatorToken, owner.key, '']) {
    const { status, body } = await server.api(key).post('/organizations', newFounding())
    assert.deepEqual([status, body], [404, { error: 'Not found' }])
  }
})

test("a token that is not the operator's gets 401, also an API key", async () => {
  const { owner } = await newWorld()
  for (const key of ['', 'wrong', `${operatorToken}x`, operatorToken.toUpperCase(), owner.key]) {
    const reply = await api(key).post('/organizations', newFounding())
    assert.equal(reply.status, 401)
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
  }
  assert.equal((await operator.get('/me')).status, 401)
})

test('creating an organization again with its Idempotency-Key replays the response with its secret, and creates one', async () => {
  const [founding, headers] = [newFounding(), { 'idempotency-key': randomUUID() }]
  const answers = await Promise.all([1, 2, 3].map(() => operator.post('/organizations', founding, headers)))
  assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1)
  const founded = await db.rows(sql`select org_id from organizations where name = ${founding.name}`)
  assert.equal(founded.length, 1)
  const { secret } = answers[0]?.body.apiKey ?? {}
  assert.equal((await api(secret).get('/me')).status, 200)
  assert.equal((await operator.post('/organizations', newFounding(), headers)).status, 409)

  const nil = '00000000-0000-0000-0000-000000000000'
  const kept = await db.row<{ sealed: boolean; body: Buffer }>(sql`
    select sealed, body from idempotency_keys
    where org_id = ${nil} and member_id = ${nil} and key = ${headers['idempotency-key']}`)
  assert.equal(kept?.sealed, true)
  assert.ok(!kept.body.includes(secret) && !kept.body.includes('olivia'))
})

test('/me returns the member, the organization and the key of the caller', async () => {
  const { orgId, member } = await newWorld()
  const { status, body } = await member.get('/me')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['member', 'organization', 'via', 'apiKey'])
  assert.deepEqual(
    [body.member.id, body.organization.id, body.apiKey.memberId],
    [member.memberId, orgId, member.memberId],
  )
  assert.ok(member.key.startsWith(body.apiKey.prefix))
})

test('PATCH /organization keeps absent fields, also inside the settings', async () => {
  const { owner, member } = await newWorld()
  const { body: before } = await member.get('/organization')
  const settings = { overlapPolicy: 'reject', timeLockedBefore: '2026-01-31' }
  const { status, body } = await owner.patch('/organization', { timezone: 'Europe/Berlin', settings })
  assert.equal(status, 200)
  const { updatedAt } = body
  assert.deepEqual(body, {
    ...before,
    ...{ timezone: 'Europe/Berlin', settings: { ...before.settings, ...settings }, version: 2, updatedAt },
  })
  const cleared = await owner.patch('/organization', { weekStart: 'sunday', settings: { timeLockedBefore: null } })
  assert.deepEqual(cleared.body.settings, { ...before.settings, overlapPolicy: 'reject', timeLockedBefore: null })
  assert.deepEqual((await member.get('/organization')).body, cleared.body)
})

test('an unknown time zone, week start or setting gets 422, which names its path', async () => {
  const { owner } = await newWorld()
  const wrong = { timezone: 'Mars/Olympus', weekStart: 'friday', settings: { timerPolicy: 'x', timeLockedBefore: '1' } }
  const { status, body } = await owner.patch('/organization', wrong)
  assert.equal(status, 422)
  const named = ['timezone', 'weekStart', 'settings.timerPolicy', 'settings.timeLockedBefore']
  assert.deepEqual(Object.keys(body.details.fieldErrors).sort(), named.sort())
  const unknown = await owner.patch('/organization', { settings: { colour: 1 } })
  assert.deepEqual(unknown.body.details.fieldErrors, { settings: ['Unknown field: colour'] })
})
