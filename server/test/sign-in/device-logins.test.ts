import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startSessionOf } from '../support/founding.ts'
import { type Api, sharedServer, startServer, type World } from '../support/world.ts'

const server = await sharedServer()
const { db, base } = server

async function signedIn({ orgId }: World, { memberId }: Api) {
  const browser = openBrowser(base)
  browser.cookies.set('tw_session', await startSessionOf(db, orgId, memberId))
  return browser
}

/** A device has no cookies and does not say where its requests come from. */
async function beginLogin(name = 'laptop') {
  const device = server.api('')
  const { status, body } = await device.post('/auth/device', { name })
  assert.equal(status, 200)
  const ask = () => device.post('/auth/device/token', { deviceCode: body.deviceCode })
  const askAgain = async () => {
    await db.rows(
      sql`update device_logins set last_asked_at = null where user_code = ${body.userCode.replace('-', '')}`,
    )
    return ask()
  }
  return { ...body, ask, askAgain }
}

const nextMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString()

test('a device gets a key of the person who approves its code, once', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(world, world.member)
  const login = await beginLogin('My laptop')
  assert.match(login.userCode, /^[B-Z]{4}-[B-Z]{4}$/)
  assert.equal(login.verificationUriComplete, `${login.verificationUri}#code=${login.userCode}`)
  assertRefused(await login.ask(), 400, 'authorization_pending')
  assertRefused(await login.ask(), 400, 'slow_down')
  const { body: shown } = await browser.get(`/auth/device/${login.userCode.toLowerCase()}`)
  assert.deepEqual([shown.name, shown.address], ['My laptop', '127.0.0.1'])
  const approval = { organization: world.orgId, scopes: ['read'], expiresAt: nextMonth() }
  assert.equal((await browser.post(`/auth/device/${login.userCode}/approve`, approval)).status, 204)
  const { body, status } = await login.askAgain()
  assert.equal(status, 200)
  assert.equal(body.organization.id, world.orgId)
  const { body: me } = await server.api(body.secret).get('/me')
  assert.deepEqual(
    [me.member.id, me.apiKey.name, me.apiKey.scopes, me.apiKey.expiresAt, me.apiKey.createdBy],
    [world.member.memberId, 'My laptop', ['read'], approval.expiresAt, world.member.memberId],
  )
  assertRefused(await login.ask(), 400, 'expired_token')
  assertRefused(await browser.post(`/auth/device/${login.userCode}/approve`, approval), 404)
})

test('a denied or expired login gets no key, and nobody approves it later', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(world, world.member)
  const approval = { organization: world.orgId, scopes: ['read'], expiresAt: nextMonth() }
  const denied = await beginLogin()
  assert.equal((await browser.post(`/auth/device/${denied.userCode}/deny`)).status, 204)
  assertRefused(await browser.post(`/auth/device/${denied.userCode}/approve`, approval), 404)
  assertRefused(await denied.ask(), 400, 'access_denied')
  const late = await beginLogin()
  await db.rows(sql`update device_logins set expires_at = now() where user_code = ${late.userCode.replace('-', '')}`)
  assertRefused(await browser.get(`/auth/device/${late.userCode}`), 404)
  assertRefused(await late.ask(), 400, 'expired_token')
})

test('only a person who is signed in approves a login, for their own organization', async () => {
  const [world, elsewhere] = [await server.newWorld(), await server.newWorld()]
  const browser = await signedIn(world, world.owner)
  const login = await beginLogin()
  const path = `/auth/device/${login.userCode}/approve`
  const approval = { organization: elsewhere.orgId, scopes: ['read'], expiresAt: nextMonth() }
  assertRefused(await browser.post(path, approval), 403, 'not_a_member')
  assertRefused(await openBrowser(base).post(path, approval), 401)
  assertRefused(
    await browser.post(path, { ...approval, organization: world.orgId }, { 'sec-fetch-site': 'cross-site' }),
    403,
  )
  await db.rows(
    sql`update sessions set signed_in_at = now() - interval '16 minutes' where token_hash = sha256(${browser.cookies.get('tw_session') ?? ''}::bytea)`,
  )
  assertRefused(
    await browser.post(path, { ...approval, organization: world.orgId, expiresAt: null }),
    403,
    'sign_in_again',
  )
})

test('a member who is deactivated after the approval gets no key', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(world, world.member)
  const login = await beginLogin()
  const approval = { organization: world.orgId, scopes: ['read'], expiresAt: nextMonth() }
  assert.equal((await browser.post(`/auth/device/${login.userCode}/approve`, approval)).status, 204)
  await world.owner.patch(`/members/${world.member.memberId}`, { status: 'deactivated' })
  assertRefused(await login.ask(), 400, 'access_denied')
})

test('two requests with one device code make one key', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(world, world.member)
  const login = await beginLogin()
  const approval = { organization: world.orgId, scopes: ['read'], expiresAt: nextMonth() }
  assert.equal((await browser.post(`/auth/device/${login.userCode}/approve`, approval)).status, 204)
  const answers = await Promise.all([login.ask(), login.ask(), login.ask()])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
})

test('a person whose device gets a key is told by mail', async () => {
  const mail = { url: 'smtp://127.0.0.1:9', from: 'tasks@example.com' }
  const mailing = await startServer({ signIn: { ways: ['passkey'], force: false, providers: [], mail } })
  const world = await mailing.newWorld()
  const email = `${crypto.randomUUID()}@example.com`
  const browser = openBrowser(mailing.base)
  browser.cookies.set('tw_session', await startSessionOf(db, world.orgId, world.member.memberId))
  await db.rows(sql`
    update persons set email = ${email} where id = (
      select person_id from members where org_id = ${world.orgId} and id = ${world.member.memberId})`)
  const device = mailing.api('')
  const { body: login } = await device.post('/auth/device', { name: 'My laptop' })
  const approval = { organization: world.orgId, scopes: ['read'], expiresAt: nextMonth() }
  assert.equal((await browser.post(`/auth/device/${login.userCode}/approve`, approval)).status, 204)
  assert.equal((await device.post('/auth/device/token', { deviceCode: login.deviceCode })).status, 200)
  const queued = await db.rows<{ data: { change: string; what: string } }>(sql`
    select data from outgoing_mail where recipient = ${email}`)
  assert.deepEqual(
    queued.map(({ data }) => [data.change, data.what]),
    [['key_made', 'My laptop']],
  )
})

test('a request about signing in can have 65,536 bytes, and the refusal says so', async () => {
  const reply = await server.api('').post('/auth/device', { name: 'x'.repeat(70_000) })
  assertRefused(reply, 413, 'body_too_large')
  assert.equal(reply.body.error, 'The body is larger than 65536 bytes')
})
