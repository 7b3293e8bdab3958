import * as client from 'openid-client'
import { type Claims, lacksClaims, mergeClaims, type RawClaims, readClaims } from './claims.ts'
import { OidcProblem } from './problem.ts'
import { problemOf } from './problem-of.ts'
import { clockToleranceSeconds, type DiscoveredProvider } from './providers.ts'

/** The secrets of a sign-in that has begun. The verifier and the nonce never leave the server but for their use. */
export interface Flow {
  nonce: string
  verifier: string
}

/** New secrets for a sign-in. */
export const newFlow = (): Flow => ({ nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() })

/** The page of the provider where the person signs in. @param state binds the callback to this sign-in */
export async function authorizationUrl(
  { configuration, settings }: DiscoveredProvider,
  { nonce, verifier }: Flow,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<string> {
  const challenge = await client.calculatePKCECodeChallenge(verifier)
  return client.buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: redirectUri, scope: settings.scopes, state, nonce },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  }).href
}

/**
 * Exchanges the code of a callback for claims. It checks state, issuer, audience, nonce, times and the signature of the ID token.
 * @param callback the URL of the callback with its query
 * @throws OidcProblem
 */
export async function exchangeCode(
  { configuration, issuer }: DiscoveredProvider,
  { nonce, verifier }: Flow,
  state: string,
  callback: URL,
): Promise<{ claims: Claims; raw: RawClaims }> {
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    })
    const idToken: RawClaims = tokens.claims() ?? {}
    refuseFromFuture(idToken, issuer)
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
