import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeSignInLink } from '../../src/persons/links.ts'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { openBrowser } from '../support/browser.ts'
import { startFaultyProvider } from '../support/oidc-faulty.ts'
import { problemIn, signInAt } from '../support/oidc-sign-in.ts'
import { startServer, type World } from '../support/world.ts'

const providers: OidcProvider[] = []
const server = await startServer({ signIn: { ways: ['oidc', 'key'], force: false, providers, mail: undefined } })
const [one, other] = [await startFaultyProvider(), await startFaultyProvider()]
const world = await server.newWorld()
const domain = `${randomUUID()}.example.com`
const signUp = [{ domain, organization: world.orgId, role: 'member' as const }]
for (const { settings } of [one, other]) providers.push({ ...settings, signUp })

const somebody = (more = {}) => {
  const sub = randomUUID()
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ann', ...more }
}

/** Signs in with these claims. @returns the browser, and the problem if there is one */
async function signedInWith(who: Record<string, unknown>, provider = one) {
  provider.who = who
  const browser = openBrowser(server.base)
  const problem = problemIn(await signInAt(browser, { issuer: provider.issuer }))
  return { browser, problem }
}

const personOf = async (browser: ReturnType<typeof openBrowser>) => (await browser.get('/auth/session')).body.person

/** Signs in by a link that was shown to somebody, so that the address is not verified. */
async function signedInByLink({ orgId }: World, memberId: string) {
  const link = await server.db.transaction((tx) =>
    makeSignInLink(tx, { orgId, memberId }, server.base, new Date().toISOString()),
  )
  const browser = openBrowser(server.base)
  assert.equal((await browser.post('/auth/link', { token: link.split('#welcome=')[1] })).status, 204)
  return browser
}

const newMember = async (email: string) => (await world.owner.post('/members', { name: 'Somebody', email })).body

test('an address that somebody registered in advance does not become theirs when its owner signs in', async () => {
  const email = `${randomUUID()}@${domain}`
  const attacker = await signedInByLink(world, (await newMember(email)).id)
  assert.equal((await personOf(attacker)).email, email)
  const owner = await signedInWith(somebody({ email }))
  // the attacker sits on the member with this address, so an admin must decide
  assert.equal(owner.problem, 'address_taken')
  assert.equal((await personOf(attacker)).identities, 0)
  const elsewhere = await server.newWorld()
  providers.push({
    ...one.settings,
    issuer: one.issuer,
    signUp: [{ domain, organization: elsewhere.orgId, role: 'member' }],
  })
  providers.splice(0, 1)
  const again = await signedInWith(somebody({ email }))
  assert.equal(again.problem, undefined)
  const person = await personOf(again.browser)
  assert.deepEqual([person.email, person.emailVerified], [email, true])
  // the attacker keeps what they had, without the address, and gets nothing of the owner's
  const left = await personOf(attacker)
  assert.deepEqual([left.email, left.emailVerified, left.identities], [null, false, 0])
  const { body } = await attacker.get('/auth/session')
  assert.deepEqual(
    body.organizations.map(({ id }: { id: string }) => id),
    [world.orgId],
  )
  assert.equal((await world.owner.get(`/members?q=${email}`)).body.data[0].emailVerified, false)
  providers.splice(1, 1)
  providers.unshift({ ...one.settings, signUp })
})

for (const [verified, problem] of [
  [undefined, 'email_verified_missing'],
  [null, 'email_verified_missing'],
  [false, 'email_not_verified'],
  ['true', 'email_verified_not_boolean'],
  [1, 'email_verified_not_boolean'],
] as const)
  test(`an address with email_verified ${JSON.stringify(verified)} finds no person and lets nobody in`, async () => {
    const owner = await signedInWith(somebody())
    const { email } = await personOf(owner.browser)
    const stranger = await signedInWith(somebody({ email, email_verified: verified }), other)
    assert.equal(stranger.problem, problem)
    assert.equal((await personOf(owner.browser)).identities, 1)
  })

test('a verified address finds the person who proved it, also at another provider', async () => {
  const owner = await signedInWith(somebody())
  const { email } = await personOf(owner.browser)
  const again = await signedInWith(somebody({ email: email.toUpperCase() }), other)
  assert.equal(again.problem, undefined)
  assert.deepEqual(await personOf(again.browser), { ...(await personOf(owner.browser)), identities: 2 })
  const events = (await world.owner.get('/events?type=member.sign_in_changed&sort=-sequence')).body.data
  assert.ok(
    events.some(({ data, snapshot }: Record<string, { email?: string }>) => (snapshot ?? data)?.email === email),
  )
})

test('a person who did not prove their address is not found by it', async () => {
  const email = `${randomUUID()}@${domain}`
  const unverified = await signedInByLink(world, (await newMember(email)).id)
  assert.equal((await signedInWith(somebody({ email }))).problem, 'address_taken')
  assert.equal((await personOf(unverified)).identities, 0)
})

test('a person whose address changed at the provider is still the same person', async () => {
  const who = somebody()
  const first = await signedInWith(who)
  const member = (await first.browser.get('/me')).body.member.id
  const unverified = await signedInWith({ ...who, email: `unverified-${who.email}`, email_verified: false })
  assert.equal((await unverified.browser.get('/me')).body.member.id, member)
  assert.equal((await personOf(unverified.browser)).email, who.email)
  await signedInWith(who)
  const changed = await signedInWith({ ...who, email: `changed-${who.email}` })
  assert.equal((await changed.browser.get('/me')).body.member.id, member)
  assert.deepEqual((await personOf(changed.browser)).email, `changed-${who.email}`)
})

test('a changed address at the provider does not take the address of another person who proved it', async () => {
  const [who, victim] = [somebody(), somebody()]
  await signedInWith(victim)
  await signedInWith(who)
  const changed = await signedInWith({ ...who, email: victim.email })
  assert.equal((await personOf(changed.browser)).email, who.email)
})

test('an account without an address still signs its person in', async () => {
  const who = somebody()
  await signedInWith(who)
  const later = await signedInWith({ sub: who.sub })
  assert.equal(later.problem, undefined)
  assert.equal((await personOf(later.browser)).email, who.email)
})

test('the same subject at another provider is another account', async () => {
  const who = somebody()
  await signedInWith(who)
  const stranger = await signedInWith({ ...somebody(), sub: who.sub }, other)
  assert.equal(stranger.problem, undefined)
  assert.notEqual((await personOf(stranger.browser)).email, who.email)
})

test('an address that only looks the same, or is the same in another case of another script, is another one', async () => {
  const email = `kim-${randomUUID()}@${domain}`
  const owner = await signedInWith(somebody({ email }))
  assert.equal(owner.problem, undefined)
  // the Kelvin sign becomes k in lower case
  assert.equal((await signedInWith(somebody({ email: email.replace('k', '\u212a') }))).problem, 'email_invalid')
  assert.equal((await signedInWith(somebody({ email: email.replace('i', '\u0130') }))).problem, 'email_invalid')
  // a Cyrillic letter
  const stranger = await signedInWith(somebody({ email: email.replace('i', '\u0456') }))
  assert.equal(stranger.problem, undefined)
  assert.notEqual((await personOf(stranger.browser)).email, email)
  assert.equal((await personOf(owner.browser)).identities, 1)
})

for (const email of [
  'no address',
  'a@b@c.example.com',
  '',
  7,
  ['a@example.com'],
  `a@${domain}\nx`,
  `a\u200b@${domain}`,
])
  test(`the claim email ${JSON.stringify(email)} is refused by name`, async () => {
    const { problem } = await signedInWith(somebody({ email }))
    assert.equal(problem, email === '' ? 'email_missing' : 'email_invalid')
  })

test('a verification of one address says nothing about another', async () => {
  const victim = somebody()
  await signedInWith(victim)
  other.faults = { userInfo: { sub: 'x', email: 'mine@example.com', email_verified: true } }
  const sub = randomUUID()
  other.faults = { userInfo: { sub, email: `mine-${sub}@elsewhere.example.com`, email_verified: true } }
  const { problem } = await signedInWith({ sub, email: victim.email }, other)
  other.faults = {}
  assert.equal(problem, 'not_invited')
})

test('claims of somebody else at the UserInfo endpoint are refused', async () => {
  const victim = somebody()
  await signedInWith(victim)
  other.faults = { userInfo: { sub: randomUUID(), email: victim.email, email_verified: true } }
  const { problem } = await signedInWith({ sub: randomUUID() }, other)
  other.faults = {}
  assert.equal(problem, 'provider_misconfigured')
})

test('two first sign-ins at once make one person', async () => {
  const who = somebody()
  one.who = who
  const browsers = Array.from({ length: 4 }, () => openBrowser(server.base))
  const places = await Promise.all(browsers.map((browser) => signInAt(browser, { issuer: one.issuer })))
  assert.deepEqual(places.map(problemIn), [undefined, undefined, undefined, undefined])
  const [{ count } = { count: 0 }] = await server.db.rows<{ count: number }>(
    sql`select count(*)::int as count from persons where email = ${who.email}`,
  )
  assert.equal(count, 1)
  const [{ nameless } = { nameless: 0 }] = await server.db.rows<{ nameless: number }>(
    sql`select count(*)::int as nameless from identities where subject = ${who.sub}`,
  )
  assert.equal(nameless, 1)
})
