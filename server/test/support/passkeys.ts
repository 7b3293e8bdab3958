import assert from 'node:assert/strict'
import { softwareAuthenticator } from './authenticator.ts'
import { type Browser, openBrowser } from './browser.ts'
import { signedIn } from './signing-in.ts'
import { sharedServer } from './world.ts'

const server = await sharedServer()
export const origin = `http://localhost:${server.port}`

export const newAuthenticator = () => softwareAuthenticator(origin)
export type Authenticator = ReturnType<typeof newAuthenticator>

/** A person in a browser of the shared server, with a passkey. */
export async function withPasskey(authenticator = newAuthenticator()) {
  const world = await server.newWorld()
  const member = await world.join('Petra', 'owner')
  const browser = await signedIn(server, world, member)
  return { member, browser, authenticator, passkey: await addPasskey(browser, authenticator) }
}

export async function addPasskey(browser: Browser, authenticator = newAuthenticator(), name?: string) {
  const { body: begun } = await browser.post('/me/passkeys/options')
  const added = await browser.post('/me/passkeys', { response: authenticator.create(begun.options), name })
  assert.equal(added.status, 201, added.text)
  return added.body
}

export const optionsFor = async (browser: Browser) => (await browser.post('/auth/passkey/options')).body.options

export async function signInWith(authenticator: Authenticator, browser = openBrowser(server.base)) {
  const response = authenticator.get(await optionsFor(browser))
  return { browser, response, answer: await browser.post('/auth/passkey', { response }) }
}
