import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startFaultyProvider } from '../support/oidc-faulty.ts'
import { arriveAt, callbackOf, problemIn, signInAt, startAt } from '../support/oidc-sign-in.ts'
import { created, startServer, type World } from '../support/world.ts'

const providers: OidcProvider[] = []
const server = await startServer({ signIn: { ways: ['oidc', 'key'], force: false, providers, mail: undefined } })
const provider = await startFaultyProvider()
providers.push(provider.settings)
const { issuer } = provider

const somebody = (more = {}) => {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ann Example', ...more }
}

async function invited(world: World, email: string, role = 'member') {
  const member = await created(world.owner.post('/members', { name: 'Invited', email, role }))
  const invitation = await created(world.owner.post(`/members/${member.id}/invite`))
  return { member, invitation, token: invitation.link.split('#invitation=')[1] as string }
}

async function signedInWith(who: Record<string, unknown>, start = {}, browser: Browser = openBrowser(server.base)) {
  provider.who = who
  return { browser, problem: problemIn(await signInAt(browser, { issuer, ...start })) }
}

const memberOf = async (browser: Browser, { orgId }: World) =>
  (await browser.get('/me', { 'x-organization': orgId })).body.member

test('the verified address of an invited member lets in without the link, in each organization', async () => {
  const [world, other] = [await server.newWorld(), await server.newWorld()]
  const who = somebody()
  const { member, token } = await invited(world, who.email, 'admin')
  await invited(other, who.email)
  const { browser, problem } = await signedInWith(who)
  assert.equal(problem, undefined)
  const mine = await memberOf(browser, world)
  assert.deepEqual([mine.id, mine.role, mine.emailVerified], [member.id, 'admin', true])
  assert.equal((await browser.get('/auth/session')).body.organizations.length, 2)
  assertRefused(await openBrowser(server.base).post('/auth/invitation', { token }), 412, 'already_joined')
  const { body } = await world.owner.get('/events?type=invitation.accepted,member.joined')
  assert.deepEqual(body.data.map(({ type }: { type: string }) => type).toSorted(), [
    'invitation.accepted',
    'member.joined',
  ])
})

test('an address that is not verified needs the link, and gets only that organization', async () => {
  const [world, other] = [await server.newWorld(), await server.newWorld()]
  const { email_verified: _, ...who } = somebody()
  const { member, token } = await invited(world, who.email)
  await invited(other, who.email)
  assert.equal((await signedInWith(who)).problem, 'email_verified_missing')
  const { browser, problem } = await signedInWith(who, { invitation: token })
  assert.equal(problem, undefined)
  const mine = await memberOf(browser, world)
  assert.deepEqual([mine.id, mine.emailVerified], [member.id, false])
  const { person, organizations } = (await browser.get('/auth/session')).body
  assert.deepEqual([person.email, person.emailVerified, person.identities], [who.email, false, 1])
  assert.equal(organizations.length, 1)
  assert.equal((await signedInWith(who)).problem, undefined)
})

test('somebody with another address accepts by the link', async () => {
  const world = await server.newWorld()
  const { member, token } = await invited(world, `${randomUUID()}@example.com`)
  const who = somebody()
  assert.equal((await signedInWith(who)).problem, 'not_invited')
  const { browser, problem } = await signedInWith(who, { invitation: token })
  assert.equal(problem, undefined)
  const { person } = (await browser.get('/auth/session')).body
  assert.deepEqual([person.email, person.emailVerified], [who.email, true])
  const mine = await memberOf(browser, world)
  assert.deepEqual([mine.id, mine.email, mine.emailVerified], [member.id, member.email, false])
})

test('a person who signs in already joins another organization by the link', async () => {
  const [world, other] = [await server.newWorld(), await server.newWorld()]
  const who = somebody()
  await invited(world, who.email)
  assert.equal((await signedInWith(who)).problem, undefined)
  const { token } = await invited(other, `${randomUUID()}@example.com`)
  const { browser, problem } = await signedInWith(who, { invitation: token })
  assert.equal(problem, undefined)
  assert.equal((await browser.get('/auth/session')).body.organizations.length, 2)
  const second = await invited(other, `${randomUUID()}@example.com`)
  assert.equal((await signedInWith(who, { invitation: second.token })).problem, 'other_person')
})

test('an invitation that was used, withdrawn or replaced lets nobody in', async () => {
  const world = await server.newWorld()
  const { member, token } = await invited(world, `${randomUUID()}@example.com`)
  const browser = openBrowser(server.base)
  provider.who = somebody()
  const callback = await callbackOf(await startAt(browser, { issuer, invitation: token }))
  await created(world.owner.post(`/members/${member.id}/invite`))
  assert.equal(problemIn(await arriveAt(browser, callback)), 'link_invalid')
  assertRefused(await browser.post('/auth/oidc/start', { issuer, invitation: token }), 412, 'link_invalid')
  assertRefused(await browser.post('/auth/oidc/start', { issuer, invitation: 'x' }), 412, 'link_invalid')
  const used = await invited(world, `${randomUUID()}@example.com`)
  assert.equal((await signedInWith(somebody(), { invitation: used.token })).problem, undefined)
  assertRefused(await browser.post('/auth/oidc/start', { issuer, invitation: used.token }), 412, 'already_joined')
  const removed = await invited(world, `${randomUUID()}@example.com`)
  const late = await callbackOf(await startAt(browser, { issuer, invitation: removed.token }))
  assert.equal((await world.owner.delete(`/members/${removed.member.id}`)).status, 204)
  assert.equal(problemIn(await arriveAt(browser, late)), 'link_invalid')
})

test('an expired invitation lets nobody in by address', async () => {
  const world = await server.newWorld()
  const who = somebody()
  const { invitation } = await invited(world, who.email)
  const past = new Date(Date.now() - 1_000).toISOString()
  await server.db.rows(sql`
    update invitations set expires_at = ${past} where org_id = ${world.orgId} and id = ${invitation.id}`)
  assert.equal((await signedInWith(who)).problem, 'not_invited')
})

test('of two who accept at once, one joins', async () => {
  const world = await server.newWorld()
  const { token } = await invited(world, `${randomUUID()}@example.com`)
  const callbacks = []
  for (let n = 0; n < 2; n += 1) {
    const browser = openBrowser(server.base)
    provider.who = somebody()
    callbacks.push({ browser, path: await callbackOf(await startAt(browser, { issuer, invitation: token })) })
  }
  const places = await Promise.all(callbacks.map(({ browser, path }) => arriveAt(browser, path)))
  assert.deepEqual(places.map(problemIn).toSorted(), ['already_joined', undefined])
})

test('a person who registered an address in advance does not get the invitation of its owner', async () => {
  const [world, other] = [await server.newWorld(), await server.newWorld()]
  const owner = somebody()
  const early = await invited(world, owner.email)
  // the link was shown to somebody else, who now has the address without having proved it
  const attacker = await signedInWith({ sub: randomUUID() }, { invitation: early.token })
  assert.equal(attacker.problem, undefined)
  assert.equal((await attacker.browser.get('/auth/session')).body.person.email, owner.email)
  await invited(other, owner.email)
  const real = await signedInWith(owner)
  assert.equal(real.problem, undefined)
  const idsOf = async (browser: Browser) =>
    (await browser.get('/auth/session')).body.organizations.map(({ id }: { id: string }) => id)
  assert.deepEqual(await idsOf(real.browser), [other.orgId])
  assert.deepEqual(await idsOf(attacker.browser), [world.orgId])
  assert.equal((await attacker.browser.get('/auth/session')).body.person.email, null)
})
