import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { cookieIn } from '../access/sessions.ts'
import { networkOf } from '../persons/throttle.ts'
import { makeToken, type TokenKind, type UsedToken, useToken } from '../persons/tokens.ts'
import { cookie, isSecure, type SignInContext, type SignInServices } from './endpoint.ts'

/** The purpose of a challenge: to sign in, or to add a passkey to a person. */
type ChallengeKind = Extract<TokenKind, 'passkey' | 'new_passkey'>

/** Bytes in the JSON of a credential. The body of the request limits their number. */
export const Base64Url = z.string().regex(/^[\w-]+$/)

const lifetimeMs = 5 * 60_000
const browserForm = /^[\w-]{43}$/

/** Over https, the prefix keeps other hosts from setting the cookie. */
const cookieName = (services: SignInServices) => (isSecure(services) ? '__Host-tw_passkey' : 'tw_passkey')

/**
 * Makes a challenge that works once, within five minutes, in this browser. A browser can have several, for its tabs.
 * @returns the challenge, 32 bytes as base64url, and the cookie that binds it to the browser
 */
export async function makeChallenge(
  { db, services, headers, address, now }: Pick<SignInContext, 'db' | 'services' | 'headers' | 'address' | 'now'>,
  kind: ChallengeKind,
  personId: string | null,
): Promise<{ challenge: string; cookie: string }> {
  const browser = browserOf(services, headers) ?? randomBytes(32).toString('base64url')
  const subject = { personId, data: { browser: hashOf(browser) } }
  const challenge = await db.transaction((tx) => makeToken(tx, kind, subject, lifetimeMs, now, networkOf(address)))
  return { challenge, cookie: cookie(services, cookieName(services), browser, lifetimeMs / 1_000) }
}

/**
 * Uses the challenge that a browser signed. It is used up even if the request is refused later.
 * @param clientDataJson what the browser signed, base64url
 * @returns undefined if the challenge is unknown, was used, has expired or belongs to another browser
 */
export async function useChallenge(
  { db, services, headers, now }: Pick<SignInContext, 'db' | 'services' | 'headers' | 'now'>,
  kind: ChallengeKind,
  clientDataJson: string,
): Promise<{ challenge: string; personId: UsedToken['personId'] } | undefined> {
  const challenge = challengeIn(clientDataJson)
  const browser = browserOf(services, headers)
  if (challenge === undefined || browser === undefined) return undefined
  const used = await db.transaction((tx) => useToken(tx, kind, challenge, now))
  if (used?.data?.browser !== hashOf(browser)) return undefined
  return { challenge, personId: used.personId }
}

const ClientData = z.object({ challenge: z.string().max(100) })

function challengeIn(clientDataJson: string): string | undefined {
  try {
    return ClientData.safeParse(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())).data?.challenge
  } catch {
    return undefined
  }
}

function browserOf(services: SignInServices, headers: SignInContext['headers']): string | undefined {
  const value = cookieIn(headers, cookieName(services))
  return value !== undefined && browserForm.test(value) ? value : undefined
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
