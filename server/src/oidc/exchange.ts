import * as client from 'openid-client'
import { type Claims, lacksClaims, mergeClaims, type RawClaims, readClaims } from './claims.ts'
import { OidcProblem } from './problem.ts'
import { problemOf } from './problem-of.ts'
import { clockToleranceSeconds, type DiscoveredProvider } from './providers.ts'

// as long as a session counts as recent
const recentSeconds = 15 * 60

/** The secrets of a sign-in that has begun. The verifier and the nonce never leave the server but for their use. */
export interface Flow {
  nonce: string
  verifier: string
  /** the person was signed in already and confirms that it is them: the sign-in at the provider must be a recent one */
  mustBeRecent: boolean
}

/** New secrets for a sign-in. */
export const newFlow = (mustBeRecent: boolean): Flow => ({
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
  mustBeRecent,
})

/** The page of the provider where the person signs in. @param state binds the callback to this sign-in */
export async function authorizationUrl(
  { configuration, settings }: DiscoveredProvider,
  { nonce, verifier, mustBeRecent }: Flow,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<string> {
  const challenge = await client.calculatePKCECodeChallenge(verifier)
  return client.buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: redirectUri, scope: settings.scopes, state, nonce },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    ...(mustBeRecent && { max_age: String(recentSeconds) }),
  }).href
}

/**
 * Exchanges the code of a callback for claims. It checks state, issuer, audience, nonce, times and the signature of the ID token.
 * @param callback the URL of the callback with its query
 * @throws OidcProblem
 */
export async function exchangeCode(
  { configuration, issuer }: DiscoveredProvider,
  { nonce, verifier, mustBeRecent }: Flow,
  state: string,
  callback: URL,
): Promise<{ claims: Claims; raw: RawClaims }> {
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    })
    const idToken: RawClaims = tokens.claims() ?? {}
    refuseFromFuture(idToken, issuer)
    if (mustBeRecent) refuseOld(idToken, issuer)
    const raw = await withUserInfo(configuration, tokens.access_token, idToken)
    return { claims: readClaims(issuer, raw), raw }
  } catch (error) {
    throw problemOf(error, issuer)
  }
}

/** The library does not compare iat with the clock. */
function refuseFromFuture({ iat }: RawClaims, issuer: string): void {
  const ahead = Number(iat) - Date.now() / 1_000
  if (ahead > clockToleranceSeconds)
    throw new OidcProblem('clocks_differ', `${issuer}: the ID token is from ${Math.round(ahead)} seconds in the future`)
}

/** A provider can ignore max_age and then sends no auth_time, as Google does. */
function refuseOld({ auth_time: at }: RawClaims, issuer: string): void {
  if (typeof at !== 'number') return
  const age = Date.now() / 1_000 - at
  if (age > recentSeconds + clockToleranceSeconds)
    throw new OidcProblem('sign_in_again', `${issuer}: the person signed in there ${Math.round(age)} seconds ago`)
}

/** Many providers send the address only from their UserInfo endpoint. */
async function withUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  idToken: RawClaims,
): Promise<RawClaims> {
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
  if (endpoint === undefined || !lacksClaims(idToken)) return idToken
  return mergeClaims(idToken, await client.fetchUserInfo(configuration, accessToken, String(idToken.sub)))
}
