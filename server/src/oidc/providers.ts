import * as client from 'openid-client'
import type { OidcProvider } from '../sign-in-config.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { OidcProblem } from './problem.ts'
import { problemOf } from './problem-of.ts'

/** A provider after its discovery. */
export interface DiscoveredProvider {
  settings: OidcProvider
  /** the issuer, as ID tokens name it */
  issuer: string
  configuration: client.Configuration
}

/** Finds the endpoints and keys of providers. */
export type Providers = (settings: OidcProvider) => Promise<DiscoveredProvider>

interface ProviderOptions {
  /** how long one request to a provider can take */
  timeoutMs?: number
  /** how long a discovery document is used */
  freshMs?: number
  /** the clock, in milliseconds */
  clock?: () => number
}

/** A clock of the provider can differ by this from the server's. */
export const clockToleranceSeconds = 180

/** Opens a cache of discovered providers. A failed discovery is not cached. */
export function openProviders({
  timeoutMs = 5_000,
  freshMs = 3_600_000,
  clock = Date.now,
}: ProviderOptions = {}): Providers {
  const known = new Map<string, { discovered: Promise<DiscoveredProvider>; untilMs: number }>()
  return (settings) => {
    const cached = known.get(settings.issuer)
    if (cached && cached.untilMs > clock()) return cached.discovered
    const discovered = discover(settings, timeoutMs / 1_000)
    const entry = { discovered, untilMs: clock() + freshMs }
    known.set(settings.issuer, entry)
    discovered.catch(() => known.get(settings.issuer) === entry && known.delete(settings.issuer))
    return discovered
  }
}

async function discover(settings: OidcProvider, timeout: number): Promise<DiscoveredProvider> {
  const { issuer, clientId, clientSecret } = settings
  const metadata = {
    [client.clockTolerance]: clockToleranceSeconds,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }
  const auth = clientSecret === undefined ? client.None() : secretByMethod(clientSecret)
  // the settings allow http only for this machine
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  const execute = [client.enableNonRepudiationChecks, ...insecure]
  try {
    const options = { execute, timeout, [client.customFetch]: boundedFetch }
    const configuration = await client.discovery(new URL(issuer), clientId, metadata, auth, options)
    const { issuer: named, authorization_endpoint: page } = configuration.serverMetadata()
    // the library lets Entra's document for all tenants name another issuer, which would let every tenant in
    if (new URL(named).href !== new URL(issuer).href)
      throw new OidcProblem('provider_misconfigured', `the provider calls itself ${named}: set that as the issuer`)
    refuseWrongScheme(page, issuer)
    return { settings, issuer: named, configuration }
  } catch (error) {
    throw problemOf(error, issuer)
  }
}

/** The browser goes to this page, so it must be a web page and as secure as the issuer. */
function refuseWrongScheme(page: string | undefined, issuer: string): void {
  if (page === undefined) throw new OidcProblem('provider_misconfigured', 'there is no authorization_endpoint')
  const { protocol } = new URL(page)
  if (protocol === 'https:' || protocol === new URL(issuer).protocol) return
  throw new OidcProblem('provider_misconfigured', `the authorization_endpoint does not begin with https: ${page}`)
}

/** The default of the protocol is Basic. @see OpenID Connect Discovery 1.0 §3 */
function secretByMethod(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}
