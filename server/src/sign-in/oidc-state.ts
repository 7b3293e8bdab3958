import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { cookieIn, tokenHash } from '../access/sessions.ts'
import { type Flow, newFlow } from '../oidc/exchange.ts'
import { OidcProblem } from '../oidc/problem.ts'
import { networkOf } from '../persons/throttle.ts'
import { makeToken, useToken } from '../persons/tokens.ts'
import { cookie, isSecure, type SignInContext } from './endpoint.ts'

const lifetimeMs = 10 * 60_000
const browserForm = /^[\w-]{43}$/

/** The data of a sign-in that has begun. */
const Start = z.object({
  /** the issuer in the settings */
  issuer: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  mustBeRecent: z.boolean(),
  /** SHA-256 of the cookie of the browser, in hex */
  browser: z.string(),
  /** a path below the public URL */
  returnTo: z.string(),
  /** the person who adds the account to themselves */
  linkTo: z.string().nullable(),
  /** SHA-256 of the token of the invitation that the person opened, in hex */
  invitation: z.string().nullable(),
})
type OidcStart = z.output<typeof Start>

/**
 * Stores what a sign-in begins with. The state works once, within 10 minutes, in this browser.
 * @returns the state for the provider, and the cookie
 */
export async function makeState(
  context: SignInContext,
  start: Pick<OidcStart, 'issuer' | 'returnTo' | 'linkTo' | 'invitation'>,
): Promise<{ state: string; flow: Flow; cookie: string }> {
  const { db, services, address, now } = context
  // two tabs of a browser share the cookie
  const browser = browserOf(context) ?? randomBytes(32).toString('base64url')
  const flow = newFlow(context.session !== undefined)
  const data: OidcStart = { ...start, ...flow, browser: hashOf(browser) }
  const state = await db.transaction((tx) => makeToken(tx, 'oidc', { data }, lifetimeMs, now, networkOf(address)))
  return { state, flow, cookie: cookie(services, cookieName(context), browser, lifetimeMs / 1_000) }
}

/**
 * Uses up the state of a callback.
 * @throws OidcProblem if it was used, has expired or belongs to another browser
 */
export async function useState(context: SignInContext, state: string): Promise<OidcStart> {
  const { db, now } = context
  const used = await db.transaction((tx) => useToken(tx, 'oidc', state, now))
  if (used === undefined) throw new OidcProblem('sign_in_expired')
  const start = Start.parse(used.data)
  const browser = browserOf(context)
  // login CSRF: an attacker would send the callback of their own sign-in to somebody else
  if (browser === undefined || hashOf(browser) !== start.browser) throw new OidcProblem('other_browser')
  return start
}

const hashOf = (browser: string) => tokenHash(browser).toString('hex')

const cookieName = ({ services }: SignInContext) => (isSecure(services) ? '__Host-tw_oidc' : 'tw_oidc')

function browserOf(context: SignInContext): string | undefined {
  const value = cookieIn(context.headers, cookieName(context))
  return value !== undefined && browserForm.test(value) ? value : undefined
}
