import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startFaultyProvider } from '../support/oidc-faulty.ts'
import { problemIn, signInAt } from '../support/oidc-sign-in.ts'
import { startServer } from '../support/world.ts'

const provider = await startFaultyProvider()

/** A server whose settings let an address of a new domain into an organization. */
async function newScene(
  role: 'admin' | 'member' = 'member',
  ways: readonly ('oidc' | 'key' | 'password')[] = ['oidc', 'key'],
) {
  const providers: OidcProvider[] = []
  const settings = { ways: [...ways], force: false, providers, mail: undefined }
  const server = await startServer({ signIn: settings })
  const world = await server.newWorld()
  const domain = `${randomUUID()}.example.com`
  providers.push({ ...provider.settings, signUp: [{ domain, organization: world.orgId, role }] })
  const signInWith = async (who: Record<string, unknown>) => {
    provider.who = who
    const browser = openBrowser(server.base)
    return { browser, problem: problemIn(await signInAt(browser, { issuer: provider.issuer })) }
  }
  const somebody = (more = {}) => {
    const sub = randomUUID()
    return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ann Example', ...more }
  }
  return { server, world, providers, settings, domain, signInWith, somebody }
}

test('a verified address of a domain makes its owner a member, with the role of the settings', async () => {
  const { world, signInWith, somebody } = await newScene('admin')
  const who = somebody()
  const { browser } = await signInWith(who)
  const { member, via } = (await browser.get('/me')).body
  assert.deepEqual([member.name, member.email, member.role, via], ['Ann Example', who.email, 'admin', 'session'])
  assert.deepEqual([member.emailVerified, member.joinedAt === null], [true, false])
  const { body } = await world.owner.get('/events?type=member.created,member.joined')
  const ofMember = body.data.filter((event: { resource: { id: string } }) => event.resource.id === member.id)
  assert.deepEqual(ofMember.map(({ type }: { type: string }) => type).toSorted(), ['member.created', 'member.joined'])
})

test('another domain, a subdomain and an address that only ends alike are not let in', async () => {
  const { domain, signInWith, somebody } = await newScene()
  for (const email of [`a@sub.${domain}`, `a@x${domain}`, `a@${domain}.evil.example`, `"a@${domain}"@evil.example`]) {
    const { problem } = await signInWith(somebody({ email }))
    assert.ok(['not_invited', 'email_invalid'].includes(String(problem)), `${email}: ${problem}`)
  }
})

test('a member whom nobody signs in as yet is taken by the verified owner of the address', async () => {
  const { world, signInWith, somebody } = await newScene()
  const who = somebody()
  const { body: placeholder } = await world.owner.post('/members', {
    name: 'Placeholder',
    email: who.email,
    role: 'admin',
  })
  const { browser } = await signInWith(who)
  const { member } = (await browser.get('/me')).body
  assert.deepEqual([member.id, member.role, member.name], [placeholder.id, 'admin', 'Placeholder'])
})

test('a deactivated or removed member does not come back by signing in', async () => {
  const { world, signInWith, somebody } = await newScene()
  const [deactivated, removed] = [somebody(), somebody()]
  const idOf = async (who: object) => (await (await signInWith({ ...who })).browser.get('/me')).body.member.id
  const first = await idOf(deactivated)
  assert.equal((await world.owner.patch(`/members/${first}`, { status: 'deactivated' })).status, 200)
  assert.equal((await signInWith(deactivated)).problem, 'membership_ended')
  assert.equal((await world.owner.patch(`/members/${first}`, { status: 'active' })).status, 200)
  assert.equal((await signInWith(deactivated)).problem, undefined)
  assert.equal((await world.owner.delete(`/members/${await idOf(removed)}`)).status, 204)
  assert.equal((await signInWith(removed)).problem, 'membership_ended')
})

test('somebody whom nobody invited gets no person and no session', async () => {
  const { server, providers, signInWith, somebody } = await newScene()
  providers[0] = { ...provider.settings, signUp: 'invited' }
  const who = somebody()
  const { browser, problem } = await signInWith(who)
  assert.equal(problem, 'not_invited')
  assertRefused(await browser.get('/auth/session'), 401)
  assert.ok(server.logged.some((line) => line.includes('"code":"not_invited"')))
})

test('people keep signing in after an upgrade that changes the settings of their provider', async () => {
  const { server, providers, settings, world, signInWith, somebody } = await newScene()
  const who = somebody()
  const { browser } = await signInWith(who)
  const { id } = (await browser.get('/me')).body.member
  providers[0] = { ...provider.settings, name: 'Renamed', scopes: 'openid', signUp: 'invited' }
  assert.equal((await signInWith(who)).problem, undefined)
  // and without the provider, they stay members with the session that they have
  providers.pop()
  settings.ways = ['key']
  const next = await startServer({ signIn: settings })
  const there = openBrowser(next.base)
  for (const [name, value] of browser.cookies) there.cookies.set(name, value)
  assert.equal((await there.get('/me')).body.member.id, id)
  assert.equal((await world.owner.get(`/members/${id}`)).body.status, 'active')
  assertRefused(await openBrowser(server.base).post('/auth/oidc/start', { issuer: provider.issuer }), 403, 'way_off')
})

test('settings that name an organization which is not there let nobody in', async () => {
  const { providers, domain, signInWith, somebody } = await newScene()
  providers[0] = { ...provider.settings, signUp: [{ domain, organization: randomUUID(), role: 'member' }] }
  assert.equal((await signInWith(somebody())).problem, 'not_invited')
})
