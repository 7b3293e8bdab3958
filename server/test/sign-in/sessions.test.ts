import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeSignInLink } from '../../src/persons/links.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { until } from '../support/until.ts'
import { type Api, apiOf, sharedServer, startServer, type World } from '../support/world.ts'

const server = await sharedServer()
const { db, base } = server

async function linkFor({ orgId }: World, { memberId }: Api): Promise<string> {
  const link = await db.transaction((tx) => makeSignInLink(tx, { orgId, memberId }, base, new Date().toISOString()))
  return link.split('#welcome=')[1] ?? ''
}

async function signedIn(world: World, member: Api) {
  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/link', { token: await linkFor(world, member) })).status, 204)
  return browser
}

test('a sign-in link signs its member in once', async () => {
  const world = await server.newWorld()
  const browser = openBrowser(base)
  const token = await linkFor(world, world.owner)
  const signedIn = await browser.post('/auth/link', { token })
  assert.equal(signedIn.status, 204, signedIn.text)
  assert.match(signedIn.headers.getSetCookie()[0] ?? '', /^tw_session=tws_[\w-]{43}; .*HttpOnly.*SameSite=Lax/)
  const { body: me } = await browser.get('/me')
  assert.equal(me.via, 'session')
  assert.equal(me.apiKey, null)
  assert.equal(me.member.id, world.owner.memberId)
  assert.notEqual(me.member.joinedAt, null)
  assertRefused(await openBrowser(base).post('/auth/link', { token }), 412, 'link_invalid')
})

test('a session writes as its member does', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(world, world.admin)
  const tag = await browser.post('/tags', { name: 'By a browser' }, { 'idempotency-key': 'once' })
  assert.equal(tag.status, 201, tag.text)
  const again = await browser.post('/tags', { name: 'By a browser' }, { 'idempotency-key': 'once' })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { body: events } = await world.owner.get('/events?type=tag.created')
  assert.deepEqual(events.data[0].actor, { memberId: world.admin.memberId, apiKeyId: null })
  assertRefused(await browser.delete('/organization?name=x'), 403, 'missing_role')
})

test('an unsafe request with a session must come from a page of the server', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(world, world.owner)
  for (const site of ['cross-site', 'same-site', 'none'])
    assertRefused(await browser.post('/tags', { name: 'X' }, { 'sec-fetch-site': site }), 403, 'cross_site')
  assert.equal((await browser.get('/tags', { 'sec-fetch-site': 'cross-site' })).status, 200)
  const withKey = { 'sec-fetch-site': 'cross-site', authorization: `Bearer ${world.owner.key}` }
  assert.equal((await browser.post('/tags', { name: 'X' }, withKey)).status, 201)
})

test('a browser that does not send Sec-Fetch-Site proves by Origin that the page is of the server', async () => {
  const world = await server.newWorld()
  const { cookies } = await signedIn(world, world.owner)
  const cookie = `tw_session=${cookies.get('tw_session')}`
  const at = (origin: string | undefined) => apiOf(`${base}/api/v1`, '', '', { cookie, ...(origin && { origin }) })
  const own = `http://localhost:${server.port}`
  for (const path of ['/tags', '/auth/sign-out']) {
    const wrong = [
      undefined,
      'null',
      `${own}.example.com`,
      `http://localhost:${server.port + 1}`,
      own.replace('http', 'https'),
    ]
    for (const origin of wrong)
      assertRefused(await at(origin).post(path, path === '/tags' ? { name: 'X' } : {}), 403, 'cross_site')
  }
  assert.equal((await at(own).post('/tags', { name: 'X' })).status, 201)
  assert.equal((await at(own).post('/auth/sign-out', {})).status, 204)
})

test('signing out ends the session, and signing out everywhere ends all of the person', async () => {
  const world = await server.newWorld()
  const [one, other, third] = [
    await signedIn(world, world.owner),
    await signedIn(world, world.owner),
    await signedIn(world, world.owner),
  ]
  const kept = new Map(one.cookies)
  assert.equal((await one.post('/auth/sign-out')).status, 204)
  assert.equal(one.cookies.has('tw_session'), false)
  for (const [name, value] of kept) one.cookies.set(name, value)
  assertRefused(await one.get('/me'), 401)
  assert.equal((await other.get('/me')).status, 200)
  assert.equal((await third.post('/auth/sign-out', { everywhere: true })).status, 204)
  assertRefused(await other.get('/me'), 401)
})

test('a person in several organizations names one, and cannot tell others from none', async () => {
  const [one, other, stranger] = [await server.newWorld(), await server.newWorld(), await server.newWorld()]
  const browser = await signedIn(one, one.owner)
  const [{ personId } = { personId: '' }] = await db.rows<{ personId: string }>(
    sql`select person_id as "personId" from members where org_id = ${one.orgId} and id = ${one.owner.memberId}`,
  )
  await db.rows(
    sql`update members set person_id = ${personId} where org_id = ${other.orgId} and id = ${other.owner.memberId}`,
  )
  assertRefused(await browser.get('/me', { 'x-request-id': 'fresh' }), 400, 'organization_needed')
  assert.equal((await browser.get('/me', { 'x-organization': other.orgId })).body.member.id, other.owner.memberId)
  const { body } = await browser.get('/auth/session')
  assert.deepEqual(
    body.organizations.map(({ id }: { id: string }) => id).toSorted(),
    [one.orgId, other.orgId].toSorted(),
  )
  const existing = await browser.get('/me', { 'x-organization': stranger.orgId })
  const missing = await browser.get('/me', { 'x-organization': crypto.randomUUID() })
  assertRefused(existing, 403, 'not_a_member')
  assert.equal(existing.text, missing.text)
})

test('a deactivated member is out at once, also in another process', async () => {
  const world = await server.newWorld()
  const otherProcess = await startServer()
  const browser = await signedIn(world, world.member)
  const there = openBrowser(otherProcess.base)
  for (const [name, value] of browser.cookies) there.cookies.set(name, value)
  assert.equal((await there.get('/me')).status, 200)
  assert.equal((await world.owner.patch(`/members/${world.member.memberId}`, { status: 'deactivated' })).status, 200)
  assertRefused(await browser.get('/me'), 403, 'not_a_member')
  const refused = await until(async () => {
    const reply = await there.get('/me')
    return reply.status !== 200 && reply
  }, 'The other process still lets the member in')
  assertRefused(refused, 403, 'not_a_member')
})
