import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { signedIn } from '../support/signing-in.ts'
import { sharedServer, startServer } from '../support/world.ts'

const server = await sharedServer()
const { db, base } = server

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('a person sees their sessions: browser, address, when and how', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.owner, { 'user-agent': chrome })
  await signedIn(server, world, world.owner, { 'user-agent': 'Something/1.0' })
  await signedIn(server, world, world.admin)
  const { status, body } = await browser.get('/me/sessions')
  assert.equal(status, 200)
  const [newest, current] = body.data
  assert.equal(body.data.length, 2)
  assert.deepEqual([newest.current, newest.device], [false, 'Something'])
  const { id, signedInAt, lastUsedAt, ...rest } = current
  assert.deepEqual(rest, {
    ...{ current: true, signedInBy: 'link', address: '127.0.0.1', userAgent: chrome, device: 'Chrome on Linux' },
  })
  assert.equal(signedInAt, lastUsedAt)
  assertRefused(await openBrowser(base).get('/me/sessions'), 401)
})

const devices = {
  [chrome]: 'Chrome on Linux',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
    'Edge on Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15':
    'Safari on macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1':
    'Chrome on iPhone',
  'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0': 'Firefox on Android',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
  'curl/8.5.0': 'curl',
  'Mozilla/5.0': 'Unknown device',
  'something strange': 'Unknown device',
}

test('the device of a session has a readable name', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.owner)
  for (const userAgent of Object.keys(devices)) await signedIn(server, world, world.owner, { 'user-agent': userAgent })
  const { body } = await browser.get('/me/sessions')
  const named = body.data.map((one: { userAgent: string; device: string }) => [one.userAgent, one.device])
  assert.deepEqual({ ...devices, ...Object.fromEntries(named) }, { ...Object.fromEntries(named), ...devices })
})

test('a session that its person ends is out within a second, also in another process', async () => {
  const world = await server.newWorld()
  const other = await startServer()
  const [browser, lost] = [await signedIn(server, world, world.owner), await signedIn(server, world, world.owner)]
  const there = openBrowser(other.base)
  for (const [name, value] of lost.cookies) there.cookies.set(name, value)
  for (const one of [lost, there]) assert.equal((await one.get('/me')).status, 200)
  const { id } = (await lost.get('/me/sessions')).body.data.find(({ current }: { current: boolean }) => current)
  assert.equal((await browser.delete(`/me/sessions/${id}`)).status, 204)
  const deadline = performance.now() + 1_000
  while ((await there.get('/me')).status === 200 && performance.now() < deadline) {}
  for (const one of [lost, there]) assertRefused(await one.get('/me'), 401)
  assertRefused(await browser.delete(`/me/sessions/${id}`), 404)
  assert.equal((await browser.get('/me')).status, 200)
  const { body: events } = await world.owner.get('/events?type=member.sign_in_changed')
  assert.equal(events.data.length, 1)
})

test('to end the own session is to sign out', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.owner)
  const [{ id }] = (await browser.get('/me/sessions')).body.data
  assert.equal((await browser.delete(`/me/sessions/${id}`)).status, 204)
  assert.equal(browser.cookies.has('tw_session'), false)
  assert.equal((await world.owner.get('/events?type=member.sign_in_changed')).body.data.length, 0)
})

test('nobody sees or ends the sessions of others', async () => {
  const world = await server.newWorld()
  const [mine, theirs] = [await signedIn(server, world, world.owner), await signedIn(server, world, world.admin)]
  const [{ id }] = (await theirs.get('/me/sessions')).body.data
  for (const one of [id, crypto.randomUUID(), 'none']) assertRefused(await mine.delete(`/me/sessions/${one}`), 404)
  assert.equal((await theirs.get('/me')).status, 200)
})

test('a person has at most 50 sessions; the ones used longest ago end', async () => {
  const world = await server.newWorld()
  const first = await signedIn(server, world, world.owner)
  const [{ id }] = (await first.get('/me/sessions')).body.data
  await db.rows(sql`
    insert into sessions (id, person_id, token_hash, signed_in_by, signed_in_at, created_at, last_used_at, expires_at,
      address, user_agent)
    select gen_random_uuid(), person_id, sha256(convert_to(id::text || n, 'utf8')), signed_in_by, signed_in_at, created_at,
      last_used_at + interval '1 ms', expires_at, address, user_agent
    from sessions, generate_series(1, 49) n where id = ${id}`)
  assert.equal((await first.get('/me/sessions')).body.data.length, 50)
  const last = await signedIn(server, world, world.owner)
  assert.equal((await last.get('/me/sessions')).body.data.length, 50)
  assertRefused(await first.get('/me/sessions'), 401)
})

test('to sign out everywhere, and to end another session, is told by mail and in the audit log', async () => {
  const mailing = await startServer({
    signIn: {
      ...{ ways: ['passkey', 'password', 'key'], force: false, providers: [] },
      mail: { url: 'smtp://127.0.0.1:9', from: 'tasks@example.com' },
    },
  })
  const world = await mailing.newWorld()
  const member = await world.join('Petra', 'member')
  const { email } = (await member.get('/me')).body.member
  const [browser, other] = [await signedIn(mailing, world, member), await signedIn(mailing, world, member)]
  const { data } = (await browser.get('/me/sessions')).body
  const { id } = data.find(({ current }: { current: boolean }) => !current)
  assert.equal((await browser.delete(`/me/sessions/${id}`)).status, 204)
  assertRefused(await other.get('/auth/session'), 401)
  assert.equal((await browser.post('/auth/sign-out', { everywhere: true })).status, 204)
  const mails = await db.rows<{ change: string }>(sql`
    select data->>'change' as change from outgoing_mail where recipient = ${email} order by id`)
  assert.deepEqual(
    mails.map(({ change }) => change),
    ['session_ended', 'sessions_ended'],
  )
  assert.equal((await world.owner.get('/events?type=member.sign_in_changed')).body.data.length, 2)
})
