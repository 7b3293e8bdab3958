import { isIP } from 'node:net'
import { forbidden } from '../contract/errors.ts'
import type { SignInContext } from './endpoint.ts'

/** The site that passkeys belong to. @see WebAuthn §5.1.2 */
export interface RelyingParty {
  /** the host of the server, without its port */
  id: string
  origin: string
}

/**
 * The site that passkeys belong to.
 * @throws 403 if passkeys are off, if browsers have none for this server, or if the page has another origin
 */
export function relyingParty({ services, headers }: Pick<SignInContext, 'services' | 'headers'>): RelyingParty {
  const url = new URL(services.publicUrl())
  if (!services.settings.ways.includes('passkey'))
    throw forbidden('Passkeys are off on this server; use another way to sign in', 'way_off')
  const problem = passkeyProblem(url)
  if (problem !== undefined) throw forbidden(problem, 'way_off')
  const { origin = url.origin } = headers
  if (origin !== url.origin)
    throw forbidden(`Passkeys work only at ${url.origin}; open the console there and try again`, 'way_off')
  return { id: url.hostname, origin: url.origin }
}

/** Why browsers have no passkeys for a server, as a sentence. @see WebAuthn §5.1.2 */
export function passkeyProblem({ hostname, protocol }: URL): string | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
    return `Passkeys need a name, and ${hostname} is an IP address; the operator can set PUBLIC_URL to a URL with a name`
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost'))
    return 'Passkeys need https; the operator can set PUBLIC_URL to a URL that begins with https://'
  return undefined
}
