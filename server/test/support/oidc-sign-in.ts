import assert from 'node:assert/strict'
import { ask } from './asking.ts'
import type { Browser } from './browser.ts'

/** What the console says to start a sign-in. */
interface Start {
  issuer: string
  returnTo?: string
  link?: true
  invitation?: string
}

/** Starts a sign-in. @returns the page of the provider */
export async function startAt(browser: Browser, start: Start): Promise<URL> {
  const started = await browser.post('/auth/oidc/start', start)
  assert.equal(started.status, 200, started.text)
  return new URL(started.body.url)
}

/** Opens the page of a provider that asks nothing. @returns the callback's path below /api/v1 */
export async function callbackOf(page: URL): Promise<string> {
  const answer = await ask(page.href, 'GET', {})
  const location = answer.headers.get('location') ?? ''
  assert.match(location, /\/api\/v1\/auth\/oidc\/callback\?/, answer.text)
  return location.slice(location.indexOf('/auth/oidc/callback'))
}

/** Opens the callback, as a browser does that comes from the provider. @returns where the server sends the browser */
export async function arriveAt(browser: Browser, callback: string): Promise<string> {
  const answer = await browser.get(callback, { 'sec-fetch-site': 'cross-site' })
  assert.equal(answer.status, 303, answer.text)
  return answer.headers.get('location') ?? ''
}

/** Signs in with a provider that asks nothing. @returns where the server sends the browser */
export const signInAt = async (browser: Browser, start: Start): Promise<string> =>
  arriveAt(browser, await callbackOf(await startAt(browser, start)))

/** The code of the problem that the server sends the console, or undefined. */
export const problemIn = (location: string): string | undefined => location.split('#sign-in-error=')[1]
