import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startFaultyProvider } from '../support/oidc-faulty.ts'
import { arriveAt, callbackOf, problemIn, signInAt, startAt } from '../support/oidc-sign-in.ts'
import { startServer } from '../support/world.ts'

const providers: OidcProvider[] = []
const mail = { url: 'smtp://localhost', from: 'tasks@example.com' }
const server = await startServer({ signIn: { ways: ['password', 'oidc', 'key'], force: false, providers, mail } })
const [one, other] = [await startFaultyProvider(), await startFaultyProvider()]
const world = await server.newWorld()
const domain = `${randomUUID()}.example.com`
for (const { settings } of [one, other])
  providers.push({ ...settings, signUp: [{ domain, organization: world.orgId, role: 'member' }] })

const somebody = () => {
  const sub = randomUUID()
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ann' }
}

async function signedIn(who = somebody()) {
  one.who = who
  const browser = openBrowser(server.base)
  assert.equal(problemIn(await signInAt(browser, { issuer: one.issuer })), undefined)
  return browser
}

const mailsTo = (recipient: string) =>
  server.db.rows<{ change: string; what: string }>(sql`
    select data ->> 'change' as change, data ->> 'what' as what from outgoing_mail
    where recipient = ${recipient} order by created_at, id`)

test('a person adds an account of another address, signs in with it, and removes it', async () => {
  const who = somebody()
  const browser = await signedIn(who)
  other.who = { sub: randomUUID(), email: 'elsewhere@private.example.com' }
  const location = await signInAt(browser, { issuer: other.issuer, link: true, returnTo: '/console/account' })
  assert.ok(location.endsWith('/console/account'), location)
  const { data } = (await browser.get('/me/identities')).body
  assert.deepEqual(
    data.map(({ issuer, email, provider }: Record<string, string>) => [issuer, email, provider]),
    [
      [one.issuer, who.email, 'Faulty'],
      [other.issuer, 'elsewhere@private.example.com', 'Faulty'],
    ],
  )
  assert.deepEqual(Object.keys(data[0]).toSorted(), ['createdAt', 'email', 'id', 'issuer', 'lastUsedAt', 'provider'])
  const again = openBrowser(server.base)
  assert.equal(problemIn(await signInAt(again, { issuer: other.issuer })), undefined)
  assert.equal((await again.get('/auth/session')).body.person.email, who.email)
  assert.equal((await browser.delete(`/me/identities/${data[1].id}`)).status, 204)
  assert.equal(problemIn(await signInAt(openBrowser(server.base), { issuer: other.issuer })), 'email_verified_missing')
  assert.deepEqual(await mailsTo(who.email), [
    { change: 'identity_added', what: 'Faulty' },
    { change: 'identity_removed', what: 'Faulty' },
  ])
})

test('the last way in cannot be removed', async () => {
  const browser = await signedIn()
  const [{ id }] = (await browser.get('/me/identities')).body.data
  assertRefused(await browser.delete(`/me/identities/${id}`), 412, 'last_way_in')
  assertRefused(await browser.delete(`/me/identities/${randomUUID()}`), 404)
  const stranger = await signedIn()
  assertRefused(await stranger.delete(`/me/identities/${id}`), 404)
})

test('an account of another person cannot be added', async () => {
  const who = somebody()
  other.who = who
  assert.equal(problemIn(await signInAt(openBrowser(server.base), { issuer: other.issuer })), undefined)
  const browser = await signedIn()
  assert.equal(problemIn(await signInAt(browser, { issuer: other.issuer, link: true })), 'identity_taken')
  assert.equal((await browser.get('/auth/session')).body.person.identities, 1)
})

test('only a person who signed in lately adds an account, and it goes to nobody else', async () => {
  assertRefused(await openBrowser(server.base).post('/auth/oidc/start', { issuer: one.issuer, link: true }), 401)
  const browser = await signedIn()
  await server.db.rows(sql`
    update sessions set signed_in_at = ${new Date(Date.now() - 16 * 60_000).toISOString()}
    where person_id in (select person_id from identities where subject = ${String(one.who.sub)})`)
  assertRefused(await browser.post('/auth/oidc/start', { issuer: other.issuer, link: true }), 403, 'sign_in_again')
  const [{ id }] = (await browser.get('/me/identities')).body.data
  assertRefused(await browser.delete(`/me/identities/${id}`), 403, 'sign_in_again')
})

test('an account is not added if somebody else signed in to the browser meanwhile', async () => {
  const browser = await signedIn()
  other.who = { sub: randomUUID() }
  const callback = await callbackOf(await startAt(browser, { issuer: other.issuer, link: true }))
  one.who = somebody()
  assert.equal(problemIn(await signInAt(browser, { issuer: one.issuer })), undefined)
  assert.equal(problemIn(await arriveAt(browser, callback)), 'sign_in_again')
  assert.equal((await browser.get('/auth/session')).body.person.identities, 1)
})

test('a new sign-in ends the session that the browser had', async () => {
  const browser = await signedIn()
  const before = new Map(browser.cookies)
  one.who = somebody()
  assert.equal(problemIn(await signInAt(browser, { issuer: one.issuer })), undefined)
  const old = openBrowser(server.base)
  for (const [name, value] of before) old.cookies.set(name, value)
  assertRefused(await old.get('/auth/session'), 401)
})

test('a person who is told of an account by address gets a mail', async () => {
  const who = somebody()
  await signedIn(who)
  other.who = { ...who, sub: randomUUID() }
  assert.equal(problemIn(await signInAt(openBrowser(server.base), { issuer: other.issuer })), undefined)
  assert.deepEqual(await mailsTo(who.email), [{ change: 'identity_added', what: 'Faulty' }])
})

test('a person who signs in again to confirm that it is them must have signed in at the provider lately', async () => {
  const who = somebody()
  const browser = await signedIn(who)
  const page = await startAt(browser, { issuer: one.issuer })
  assert.equal(page.searchParams.get('max_age'), '900')
  assert.equal((await startAt(openBrowser(server.base), { issuer: one.issuer })).searchParams.get('max_age'), null)
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds
  for (const [seconds, problem] of [
    [3_600, 'sign_in_again'],
    [60, undefined],
  ] as const) {
    one.who = { ...who, auth_time: secondsAgo(seconds) }
    assert.equal(problemIn(await signInAt(browser, { issuer: one.issuer })), problem)
  }
})
