import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { softwareAuthenticator } from '../support/authenticator.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused, invalidFields } from '../support/envelope.ts'
import { addPasskey, newAuthenticator, optionsFor, origin, signInWith, withPasskey } from '../support/passkeys.ts'
import { sharedServer, startServer } from '../support/world.ts'

const { db, base, port } = await sharedServer()

test('a passkey signs its person in, in a browser that knows nothing of them', async () => {
  const { member, browser, authenticator, passkey } = await withPasskey()
  assert.deepEqual(Object.keys(passkey), ['id', 'name', 'createdAt', 'lastUsedAt', 'backedUp'])
  const { browser: other, answer } = await signInWith(authenticator)
  assert.equal(answer.status, 204, answer.text)
  const { body: me } = await other.get('/me')
  assert.deepEqual([me.via, me.member.id], ['session', member.memberId])
  const { body: sessions } = await other.get('/me/sessions')
  assert.deepEqual(
    sessions.data.map(({ signedInBy, current }: Record<string, unknown>) => [signedInBy, current]),
    [
      ['passkey', true],
      ['link', false],
    ],
  )
  const [used] = (await browser.get('/me/passkeys')).body.data
  assert.notEqual(used.lastUsedAt, null)
  assert.equal((await browser.get('/auth/session')).body.person.passkeys, 1)
})

test('a challenge works once', async () => {
  const { authenticator } = await withPasskey()
  const { browser, response, answer } = await signInWith(authenticator)
  assert.equal(answer.status, 204)
  assertRefused(await browser.post('/auth/passkey', { response }), 401, 'sign_in_failed')
})

test('a refused response uses its challenge up', async () => {
  const { authenticator } = await withPasskey()
  const browser = openBrowser(base)
  const response = authenticator.get(await optionsFor(browser))
  const { signature } = authenticator.get({ rpId: 'localhost', challenge: 'another' }).response
  const wrong = { ...response, response: { ...response.response, signature } }
  assertRefused(await browser.post('/auth/passkey', { response: wrong }), 401, 'sign_in_failed')
  assertRefused(await browser.post('/auth/passkey', { response }), 401, 'sign_in_failed')
})

test('a challenge works only in its browser, for all tabs of it', async () => {
  const { authenticator } = await withPasskey()
  const [victim, attacker] = [openBrowser(base), openBrowser(base)]
  const [first, second] = [await optionsFor(victim), await optionsFor(victim)]
  await optionsFor(attacker)
  const response = authenticator.get(second)
  assertRefused(await attacker.post('/auth/passkey', { response }), 401, 'sign_in_failed')
  assert.equal((await victim.post('/auth/passkey', { response: authenticator.get(first) })).status, 204)
})

test('a challenge ends after five minutes', async () => {
  const { authenticator } = await withPasskey()
  const browser = openBrowser(base)
  const begun = await browser.post('/auth/passkey/options')
  assert.match(begun.headers.getSetCookie()[0] ?? '', /^tw_passkey=[\w-]{43}; Max-Age=300; .*HttpOnly/)
  const { options } = begun.body
  const response = authenticator.get(options)
  await db.rows(sql`
    update sign_in_tokens set expires_at = created_at
    where hash = sha256(${Buffer.from(options.challenge)}) and expires_at = created_at + interval '5 minutes'`)
  assertRefused(await browser.post('/auth/passkey', { response }), 401, 'sign_in_failed')
})

test('a challenge for a new passkey signs nobody in, nor the other way round', async () => {
  const { browser, authenticator } = await withPasskey()
  const { options } = (await browser.post('/me/passkeys/options')).body
  const assertion = authenticator.get({ rpId: 'localhost', challenge: options.challenge })
  assertRefused(await browser.post('/auth/passkey', { response: assertion }), 401, 'sign_in_failed')
  const { challenge } = await optionsFor(browser)
  const created = newAuthenticator().create({ ...options, challenge })
  assert.deepEqual(invalidFields(await browser.post('/me/passkeys', { response: created })), ['response'])
})

test('a passkey whose counter goes back or stays is refused', async () => {
  const { authenticator } = await withPasskey()
  assert.equal((await signInWith(authenticator)).answer.status, 204)
  assert.equal((await signInWith(authenticator)).answer.status, 204)
  authenticator.counter = 0
  assertRefused((await signInWith(authenticator)).answer, 401, 'sign_in_failed')
  assertRefused((await signInWith(authenticator)).answer, 401, 'sign_in_failed')
  assert.equal((await signInWith(authenticator)).answer.status, 204)
})

test('a passkey that does not count signs in again and again', async () => {
  const authenticator = newAuthenticator()
  authenticator.counter = undefined
  await withPasskey(authenticator)
  for (let n = 0; n < 2; n++) assert.equal((await signInWith(authenticator)).answer.status, 204)
})

test('a response from a page of another origin, or for another site, is refused', async () => {
  const { browser, authenticator } = await withPasskey()
  authenticator.origin = 'http://localhost.example.com'
  assertRefused((await signInWith(authenticator)).answer, 401, 'sign_in_failed')
  const { options } = (await browser.post('/me/passkeys/options')).body
  const foreign = softwareAuthenticator('https://example.com').create(options)
  assert.deepEqual(invalidFields(await browser.post('/me/passkeys', { response: foreign })), ['response'])
  authenticator.origin = origin
  const other = openBrowser(base)
  const response = authenticator.get({ ...(await optionsFor(other)), rpId: 'example.com' })
  assertRefused(await other.post('/auth/passkey', { response }), 401, 'sign_in_failed')
})

test('nobody signs in with the credential of another person', async () => {
  const [mine, theirs] = [await withPasskey(), await withPasskey()]
  const [own, other] = [mine.authenticator.credential, theirs.authenticator.credential]
  assert.ok(own && other)
  for (const forged of [
    { ...own, id: other.id },
    { ...own, id: other.id, userHandle: other.userHandle },
    { ...own, userHandle: other.userHandle },
    { ...own, id: 'unknown' },
  ]) {
    mine.authenticator.credential = forged
    assertRefused((await signInWith(mine.authenticator)).answer, 401, 'sign_in_failed')
  }
})

test('the refusals of signing in are alike', async () => {
  const { authenticator } = await withPasskey()
  assert.ok(authenticator.credential)
  const unknown = newAuthenticator()
  unknown.credential = { ...authenticator.credential, id: 'unknown' }
  authenticator.origin = 'http://example.com'
  const texts = [await signInWith(authenticator), await signInWith(unknown)].map(({ answer }) => answer.text)
  assert.equal(new Set(texts).size, 1)
})

test('a removed passkey signs nobody in', async () => {
  const { browser, authenticator, passkey } = await withPasskey()
  await addPasskey(browser)
  assert.equal((await browser.delete(`/me/passkeys/${passkey.id}`)).status, 204)
  assertRefused((await signInWith(authenticator)).answer, 401, 'sign_in_failed')
})

test('a server without passkeys says so in a sentence', async () => {
  const off = await startServer({
    signIn: { ways: ['password', 'key'], force: false, providers: [], mail: undefined },
  })
  const byAddress = await startServer({ publicUrl: 'http://192.0.2.1:3000' })
  const byOldAddress = await startServer({ publicUrl: 'https://[2001:db8::1]' })
  const plain = await startServer({ publicUrl: 'http://tasks.example.com' })
  for (const [{ base }, sentence] of [
    [off, /^Passkeys are off on this server; /],
    [byAddress, /^Passkeys need a name, and 192\.0\.2\.1 is an IP address; .*PUBLIC_URL/],
    [byOldAddress, /^Passkeys need a name, and \[2001:db8::1\] is an IP address; .*PUBLIC_URL/],
    [plain, /^Passkeys need https; /],
  ] as const) {
    const browser = openBrowser(base)
    const refused = await browser.post('/auth/passkey/options')
    assertRefused(refused, 403, 'way_off')
    assert.match(refused.body.error, sentence)
    assert.equal((await browser.get('/auth/ways')).body.ways.includes('passkey'), false)
  }
  const elsewhere = await openBrowser(base, { origin: `http://127.0.0.1:${port}` }).post('/auth/passkey/options')
  assertRefused(elsewhere, 403, 'way_off')
  assert.equal(elsewhere.body.error, `Passkeys work only at ${origin}; open the console there and try again`)
})

test('malformed responses are refused, and cause no error of the server', async () => {
  const { browser, authenticator } = await withPasskey()
  const good = authenticator.get(await optionsFor(browser))
  const broken = [
    { ...good, response: { ...good.response, authenticatorData: 'AAAA' } },
    { ...good, response: { ...good.response, signature: 'AAAA' } },
    { ...good, rawId: 'AAAA' },
  ]
  for (const response of [...broken, { ...good, response: { ...good.response, clientDataJSON: 'AAAA' } }]) {
    const { challenge } = await optionsFor(browser)
    const text = JSON.stringify({ type: 'webauthn.get', challenge, origin })
    const clientDataJSON = Buffer.from(text).toString('base64url')
    const sent = broken.includes(response)
      ? { ...response, response: { ...response.response, clientDataJSON } }
      : response
    assertRefused(await browser.post('/auth/passkey', { response: sent }), 401, 'sign_in_failed')
  }
  assertRefused(await browser.post('/auth/passkey', { response: { id: 'x' } }), 422)
  const { options } = (await browser.post('/me/passkeys/options')).body
  const created = newAuthenticator().create(options)
  created.response.attestationObject = 'v2NmbXRkbm9uZQ'
  assert.deepEqual(invalidFields(await browser.post('/me/passkeys', { response: created })), ['response'])
})
