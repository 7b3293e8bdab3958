import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { openBrowser } from '../support/browser.ts'
import { type Faults, startFaultyProvider } from '../support/oidc-faulty.ts'
import { arriveAt, callbackOf, problemIn, signInAt, startAt } from '../support/oidc-sign-in.ts'
import { startServer } from '../support/world.ts'

const providers: OidcProvider[] = []
const signIn = { ways: ['oidc', 'key'] as const, force: false, providers, mail: undefined }
const server = await startServer({ signIn })
const world = await server.newWorld()
const [first, second] = [await startFaultyProvider(), await startFaultyProvider()]
const domain = `${randomUUID()}.example.com`
for (const { settings } of [first, second])
  providers.push({ ...settings, signUp: [{ domain, organization: world.orgId, role: 'member' }] })

const somebody = (more = {}) => {
  const sub = randomUUID()
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ann', ...more }
}

/** The problem of a sign-in at a provider with these faults. */
async function problemWith(faults: Faults): Promise<string | undefined> {
  first.who = somebody()
  first.faults = faults
  const browser = openBrowser(server.base)
  const location = await signInAt(browser, { issuer: first.issuer })
  first.faults = {}
  const problem = problemIn(location)
  assert.equal((await browser.get('/auth/session')).status, problem === undefined ? 200 : 401)
  return problem
}

const seconds = () => Math.floor(Date.now() / 1_000)
const changed = (more: object | ((claims: object) => object)) => ({
  claims: (claims: Record<string, unknown>) => ({ ...claims, ...(typeof more === 'function' ? more(claims) : more) }),
})

test('a correct provider signs a person in', async () => {
  assert.equal(await problemWith({}), undefined)
})

for (const [name, faults, problem] of [
  ['of another issuer', changed({ iss: 'https://evil.example.com' }), 'id_token_invalid'],
  ['with another nonce', changed({ nonce: 'another' }), 'id_token_invalid'],
  ['without a nonce', changed({ nonce: undefined }), 'id_token_invalid'],
  ['for another client', changed({ aud: 'another' }), 'id_token_invalid'],
  ['for several clients without azp', changed({ aud: ['taskwright', 'another'] }), 'id_token_invalid'],
  ['that expired 10 minutes ago', changed(() => ({ iat: seconds() - 900, exp: seconds() - 600 })), 'clocks_differ'],
  ['from 10 minutes in the future', changed(() => ({ iat: seconds() + 600, exp: seconds() + 900 })), 'clocks_differ'],
  ['that becomes valid in 10 minutes', changed(() => ({ nbf: seconds() + 600 })), 'clocks_differ'],
  ['without a time of expiry', changed({ exp: undefined }), 'id_token_invalid'],
  ['without a signature', { unsigned: true }, 'id_token_invalid'],
  ['signed by another key', { foreignKey: true }, 'id_token_invalid'],
  ['with an unknown key', { header: { kid: 'two' } }, 'id_token_invalid'],
  ['with HS256', { header: { alg: 'HS256' } }, 'id_token_invalid'],
  ['without a subject', changed({ sub: undefined }), 'subject_missing'],
  ['with an endless subject', changed({ sub: 'x'.repeat(256) }), 'subject_missing'],
] as const satisfies [string, Faults, string][])
  test(`an ID token ${name} signs nobody in`, async () => {
    assert.equal(await problemWith(faults), problem)
  })

for (const [name, faults] of [
  ['that expired 2 minutes ago', changed(() => ({ iat: seconds() - 400, exp: seconds() - 120 }))],
  ['from 2 minutes in the future', changed(() => ({ iat: seconds() + 120, exp: seconds() + 420 }))],
] as const)
  test(`an ID token ${name} is accepted, because clocks differ`, async () => {
    assert.equal(await problemWith(faults), undefined)
  })

test('the callback must name the issuer if the provider announces that it does', async () => {
  assert.equal(await problemWith({ callback: (query) => query.delete('iss') }), 'other_provider')
  assert.equal(await problemWith({ callback: (query) => query.set('iss', second.issuer) }), 'other_provider')
})

test('a parameter of the callback that comes twice is refused', async () => {
  assert.equal(await problemWith({ callback: (query) => query.append('code', 'another') }), 'id_token_invalid')
})

test('a code of one provider does not work with the state of another', async () => {
  const browser = openBrowser(server.base)
  first.who = second.who = somebody()
  const ofFirst = new URLSearchParams(
    (await callbackOf(await startAt(browser, { issuer: first.issuer }))).split('?')[1],
  )
  const ofSecond = new URLSearchParams(
    (await callbackOf(await startAt(browser, { issuer: second.issuer }))).split('?')[1],
  )
  const mixed = new URLSearchParams(ofFirst)
  mixed.set('state', ofSecond.get('state') ?? '')
  const asked = second.tokenRequests.length
  assert.equal(problemIn(await arriveAt(browser, `/auth/oidc/callback?${mixed}`)), 'other_provider')
  assert.equal(second.tokenRequests.length, asked)
  // and without iss, which an attacker could take out
  const again = new URLSearchParams((await callbackOf(await startAt(browser, { issuer: second.issuer }))).split('?')[1])
  again.set('code', ofFirst.get('code') ?? '')
  assert.equal(problemIn(await arriveAt(browser, `/auth/oidc/callback?${again}`)), 'code_refused')
  assert.equal((await browser.get('/auth/session')).status, 401)
})

test('a callback works once', async () => {
  first.who = somebody()
  const browser = openBrowser(server.base)
  const callback = await callbackOf(await startAt(browser, { issuer: first.issuer }))
  assert.equal(problemIn(await arriveAt(browser, callback)), undefined)
  assert.equal(problemIn(await arriveAt(browser, callback)), 'sign_in_expired')
  const next = await callbackOf(await startAt(browser, { issuer: first.issuer }))
  const replayed = new URLSearchParams(next.split('?')[1])
  replayed.set('code', new URLSearchParams(callback.split('?')[1]).get('code') ?? '')
  assert.equal(problemIn(await arriveAt(browser, `/auth/oidc/callback?${replayed}`)), 'code_refused')
})

test('a callback works only in the browser that started it', async () => {
  first.who = somebody()
  const [attacker, victim] = [openBrowser(server.base), openBrowser(server.base)]
  const callback = await callbackOf(await startAt(attacker, { issuer: first.issuer }))
  assert.equal(problemIn(await arriveAt(victim, callback)), 'other_browser')
  const another = await callbackOf(await startAt(attacker, { issuer: first.issuer }))
  await startAt(victim, { issuer: first.issuer })
  assert.equal(problemIn(await arriveAt(victim, another)), 'other_browser')
  assert.equal((await victim.get('/auth/session')).status, 401)
})

test('two tabs of a browser can sign in at once', async () => {
  first.who = somebody()
  const browser = openBrowser(server.base)
  const pages = [await startAt(browser, { issuer: first.issuer }), await startAt(browser, { issuer: first.issuer })]
  for (const page of pages) assert.equal(problemIn(await arriveAt(browser, await callbackOf(page))), undefined)
})

test('a callback without a state, or with a wrong one, signs nobody in', async () => {
  const browser = openBrowser(server.base)
  for (const query of ['', '?code=x', '?code=x&state=y', '?state=a&state=b', '?error=access_denied'])
    assert.equal(problemIn(await arriveAt(browser, `/auth/oidc/callback${query}`)), 'sign_in_expired')
})

test('the sign-in proves itself with PKCE and asks with a nonce', async () => {
  const page = await startAt(openBrowser(server.base), { issuer: first.issuer })
  const query = page.searchParams
  assert.equal(query.get('code_challenge_method'), 'S256')
  assert.match(query.get('code_challenge') ?? '', /^[\w-]{43}$/)
  assert.match(query.get('nonce') ?? '', /^[\w-]{43}$/)
  assert.match(query.get('state') ?? '', /^[\w-]{43}$/)
  assert.equal(query.get('redirect_uri'), `http://localhost:${server.port}/api/v1/auth/oidc/callback`)
  first.who = somebody()
  await problemWith({})
  assert.match(first.tokenRequests.at(-1)?.get('code_verifier') ?? '', /^[\w-]{43}$/)
})

test('a person who says no at the provider, and a provider that refuses, come back with a reason', async () => {
  const with_ = (error: string) => ({
    callback: (query: URLSearchParams) => {
      query.delete('code')
      query.set('error', error)
    },
  })
  assert.equal(await problemWith(with_('access_denied')), 'sign_in_cancelled')
  assert.equal(await problemWith(with_('invalid_scope')), 'provider_refused')
})

test('no code, state or claim of a sign-in is in the log', async () => {
  const browser = openBrowser(server.base)
  first.who = somebody({ email_verified: false, name: 'Very Private' })
  const callback = await callbackOf(await startAt(browser, { issuer: first.issuer }))
  assert.equal(problemIn(await arriveAt(browser, callback)), 'email_not_verified')
  const query = new URLSearchParams(callback.split('?')[1])
  const log = server.logged.join('')
  for (const secret of [query.get('code'), query.get('state'), first.who.sub, first.who.email, 'Very Private'])
    assert.ok(!log.includes(String(secret)), String(secret))
  assert.match(log, /"email_verified":false/)
})

for (const returnTo of [
  'https://evil.example.com/console/',
  '//evil.example.com/console/',
  '/\\evil.example.com/console/',
  '/console/..//evil.example.com',
  '/console/../docs',
  '/consolefoo',
  '/\t/evil.example.com/console',
  'javascript:alert(1)',
  '/docs',
  '',
])
  test(`a sign-in does not go on to ${JSON.stringify(returnTo)}`, async () => {
    const started = await openBrowser(server.base).post('/auth/oidc/start', { issuer: first.issuer, returnTo })
    assert.equal(started.status, 422, started.text)
  })

test('a sign-in goes on to the page of the console that it came from', async () => {
  first.who = somebody()
  const location = await signInAt(openBrowser(server.base), { issuer: first.issuer, returnTo: '/console/tasks?q=a#b' })
  assert.equal(location, `http://localhost:${server.port}/console/tasks?q=a#b`)
})
