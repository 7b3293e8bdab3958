import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { makeSignInLink } from '../../src/persons/links.ts'
import { openChromium } from '../support/slow/chromium.ts'
import { sharedServer } from '../support/world.ts'

const { db, base, port, newWorld } = await sharedServer()
const localhost = `http://localhost:${port}`

let browser: Browser | string
before(async () => {
  browser = await openChromium()
})
after(async () => {
  if (typeof browser !== 'string') await browser.close()
})

test('a real browser creates a passkey and signs in with it, without an address', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const world = await newWorld()
  const link = await db.transaction((tx) =>
    makeSignInLink(tx, { orgId: world.orgId, memberId: world.owner.memberId }, base, new Date().toISOString()),
  )
  const page = await (await browser.newContext()).newPage()
  const { virtual, authenticatorId } = await withAuthenticator(page)
  await page.goto(`${localhost}/docs`)
  const token = link.split('#welcome=')[1]
  assert.equal((await request(page, 'POST', '/auth/link', { token })).status, 204)

  const begun = await request(page, 'POST', '/me/passkeys/options', {})
  assert.equal(begun.status, 200)
  const created = await credential(page, 'create', begun.body.options)
  const added = await request(page, 'POST', '/me/passkeys', { response: created, name: 'Chromium' })
  assert.deepEqual([added.status, added.body.name], [201, 'Chromium'])
  const { credentials } = await virtual.send('WebAuthn.getCredentials', { authenticatorId })
  assert.deepEqual(
    credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId]),
    [[true, 'localhost']],
  )
  // the authenticator refuses a second passkey of the same person
  const again = await request(page, 'POST', '/me/passkeys/options', {})
  await assert.rejects(credential(page, 'create', again.body.options), /InvalidStateError/)

  assert.equal((await request(page, 'POST', '/auth/sign-out', {})).status, 204)
  assert.equal((await request(page, 'GET', '/me')).status, 401)
  for (let round = 0; round < 2; round++) {
    const { options } = (await request(page, 'POST', '/auth/passkey/options', {})).body
    const response = await credential(page, 'get', options)
    assert.equal((await request(page, 'POST', '/auth/passkey', { response })).status, 204)
    assert.equal((await request(page, 'POST', '/auth/passkey', { response })).status, 401)
    const me = await request(page, 'GET', '/me')
    assert.deepEqual([me.body.via, me.body.member.id], ['session', world.owner.memberId])
  }
  const { body: sessions } = await request(page, 'GET', '/me/sessions')
  assert.deepEqual([sessions.data.length, sessions.data[0].device], [1, 'Chrome on Linux'])
})

test('a page at the IP address is told where passkeys work', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${base}/docs`)
  const { status, body } = await request(page, 'POST', '/auth/passkey/options', {})
  assert.equal(status, 403)
  assert.equal(body.error, `Passkeys work only at ${localhost}; open the console there and try again`)
})

/** Gives a page an authenticator of its own. @see WebAuthn §11 */
async function withAuthenticator(page: Page) {
  const virtual = await page.context().newCDPSession(page)
  await virtual.send('WebAuthn.enable')
  const { authenticatorId } = await virtual.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { virtual, authenticatorId }
}

/** Sends a request from the page, as its own scripts do. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by asserting it
function request(page: Page, method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const sent = { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) }
  return page.evaluate(`
    fetch(${JSON.stringify(`/api/v1${path}`)}, ${JSON.stringify(sent)}).then(async (answer) => {
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    })`)
}

/** Asks the authenticator of the page for a credential, as JSON. */
function credential(page: Page, act: 'create' | 'get', options: object): Promise<object> {
  const parse = act === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  return page.evaluate(`
    navigator.credentials.${act}({ publicKey: PublicKeyCredential.${parse}(${JSON.stringify(options)}) })
      .then((made) => made.toJSON())`)
}
