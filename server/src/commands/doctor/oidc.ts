import type { Config } from '../../config.ts'
import { Database } from '../../db/pool/database.ts'
import { boundedFetch } from '../../oidc/bounded-fetch.ts'
import { OidcProblem, type OidcProblemCode, oidcProblems } from '../../oidc/problem.ts'
import { clockToleranceSeconds, type DiscoveredProvider, openProviders } from '../../oidc/providers.ts'
import { openedUrl } from '../../persons/links.ts'
import { readReport, type SignInReport } from '../../persons/sign-in-reports.ts'
import { openStore } from '../../processes/store.ts'
import { redirectUri } from '../../sign-in/oidc.ts'
import { type CheckResult, ok, orRefusal, warning, wrong } from './finding.ts'

/** Checks the OpenID Connect providers over the network, and shows the last sign-in with each. */
export async function checkProviders(config: Config): Promise<CheckResult[]> {
  const { ways, providers } = config.signIn
  if (providers.length === 0)
    return [wrong('oidc', 'OIDC_ISSUER is not set, so nobody can sign in with a provider: set OIDC_ISSUER')]
  const uri = redirectUri(openedUrl(config.publicUrl, config.port))
  const findings = [ok('redirect URI', `register exactly this at the provider: ${uri}`)]
  if (config.publicUrl === undefined)
    findings.push(warning('redirect URI', 'PUBLIC_URL is not set, so it works only on this machine'))
  if (!ways.includes('oidc')) findings.push(wrong('oidc', 'SIGN_IN does not have oidc: add it, or leave SIGN_IN out'))
  for (const settings of providers) findings.push(...(await checkProvider(settings)))
  return [...findings, ...(await orRefusal('last sign-in', () => lastSignIns(config)))]
}

async function checkProvider(settings: DiscoveredProvider['settings']): Promise<CheckResult[]> {
  const { name, issuer } = settings
  try {
    const provider = await openProviders()(settings)
    return [
      ok('discovery', `${name}: ${issuer} answers, and its document names the same issuer`),
      ...checkRequest(provider),
      await checkKeys(provider),
      await checkClockOf(provider),
    ]
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error
    return [wrong('discovery', `${name}: ${error.message} Reason: ${error.detail}`)]
  }
}

/** Compares the requests that the server sends with the document of the provider. */
function checkRequest({ settings, configuration }: DiscoveredProvider): CheckResult[] {
  const { name, scopes, clientSecret } = settings
  const metadata = configuration.serverMetadata()
  const lacking = scopes.split(' ').filter((scope) => metadata.scopes_supported?.includes(scope) === false)
  const proof = clientSecret === undefined ? 'without a client secret' : 'with the client secret'
  const says = `${name}: a sign-in asks for the scopes ${scopes}, with PKCE (S256), state and nonce, ${proof}`
  const findings = [ok('request', says)]
  if (lacking.length > 0)
    findings.push(warning('request', `${name}: its document does not list the scopes ${lacking.join(', ')}`))
  if (!configuration.serverMetadata().supportsPKCE())
    findings.push(
      warning('request', `${name}: its document does not announce PKCE with S256. Many providers accept it anyway`),
    )
  const claims = metadata.claims_supported
  if (claims && !claims.includes('email_verified'))
    findings.push(
      warning(
        'claims',
        `${name}: its document does not list email_verified. Without it, people need the link of an invitation`,
      ),
    )
  return findings
}

async function checkKeys({ settings: { name }, configuration }: DiscoveredProvider): Promise<CheckResult> {
  const { jwks_uri: url, id_token_signing_alg_values_supported: algorithms = [] } = configuration.serverMetadata()
  if (url === undefined) return wrong('keys', `${name}: its document has no jwks_uri, so no signature can be checked`)
  const response = await fetchOnce(url)
  const body = (await response.json().catch(() => undefined)) as { keys?: unknown[] } | undefined
  const count = body?.keys?.length ?? 0
  if (!response.ok || count === 0)
    return wrong('keys', `${name}: ${url} has no keys (status ${response.status}), so no signature can be checked`)
  if (algorithms.length > 0 && algorithms.every((one) => one.startsWith('HS') || one === 'none'))
    return wrong('keys', `${name}: it signs with ${algorithms.join(', ')} only: choose a signing key at the provider`)
  return ok('keys', `${name}: ${count} ${count === 1 ? 'key' : 'keys'} for signatures`)
}

async function checkClockOf({ settings: { name, issuer } }: DiscoveredProvider): Promise<CheckResult> {
  const document = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const date = Date.parse((await fetchOnce(document)).headers.get('date') ?? '')
  if (Number.isNaN(date)) return ok('clock', `${name}: it does not say the time`)
  const seconds = Math.round(Math.abs(date - Date.now()) / 1_000)
  const says = `${name}: its clock and the clock of this machine differ by ${seconds} s`
  if (seconds > clockToleranceSeconds) return wrong('clock', `${says}: correct the one that is wrong`)
  return seconds > clockToleranceSeconds / 3 ? warning('clock', says) : ok('clock', says)
}

const fetchOnce = (url: string) =>
  boundedFetch(url, {
    ...{ method: 'GET', headers: { accept: 'application/json' }, body: undefined, redirect: 'manual' },
    signal: AbortSignal.timeout(5_000),
  })

async function lastSignIns(config: Config): Promise<CheckResult[]> {
  const store = await openStore(config, 'command', () => {})
  const db = new Database({ connection: store.connection, poolSize: 1 })
  try {
    const now = new Date().toISOString()
    const findings: CheckResult[] = []
    for (const { name, issuer } of config.signIn.providers)
      findings.push(lastSignIn(name, await readReport(db, issuer, now)))
    return findings
  } finally {
    await db.close()
    await store.close()
  }
}

function lastSignIn(name: string, report: SignInReport | undefined): CheckResult {
  if (report === undefined)
    return ok('last sign-in', `${name}: none within 24 hours. Sign in once, then run this again to see the claims`)
  const { at, code, reason, claims } = report
  const received = claims === null ? 'no claims came' : `claims: ${claimsIn(claims)}`
  if (code === null) return ok('last sign-in', `${name}: at ${at} it worked; ${received}`)
  const sentence = Object.hasOwn(oidcProblems, code) ? oidcProblems[code as OidcProblemCode] : code
  return warning('last sign-in', `${name}: at ${at} it failed with ${code}. ${sentence} Reason: ${reason}; ${received}`)
}

const expectedClaims = ['sub', 'email', 'email_verified', 'name']

function claimsIn(claims: Record<string, unknown>): string {
  const there = Object.entries(claims).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const absent = expectedClaims.filter((name) => !(name in claims)).map((name) => `${name} is absent`)
  return [...there, ...absent].join(', ')
}
