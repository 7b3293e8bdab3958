import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isIn, readAddress, type Subnet } from '../contract/addresses.ts'
import { ApiError, badRequest, forbidden } from '../contract/errors.ts'
import { type Headers, mostHeaders } from '../contract/headers.ts'

/**
 * What is wrong with the headers of a request, whatever it asks for; undefined when nothing is. Of a header that was sent
 * twice Node would silently take the first one.
 * @see RFC 9112 §3.2
 */
export function headerProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length > 2 * mostHeaders) return tooMany
  const times = { host: 0, authorization: 0, 'content-type': 0 }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!lengths.has(name.length)) continue
    const known = name.toLowerCase() as keyof typeof times
    if (known in times && ++times[known] > 1) return sentTwice
  }
  const { host } = headers
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  return hostForm.test(host) ? undefined : hostMalformed
}

/**
 * Refuses a request whose Host is a foreign name: a web page can reach this server by a name of its own that resolves to
 * this address (DNS rebinding).
 * @param own the host name of this server
 * @throws 403
 */
export function refuseForeignHost(host: Headers['host'], own: string | undefined): void {
  if (host === undefined) return
  const name = String(host)
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (isIP(name) > 0 || name === 'localhost' || name === own?.toLowerCase()) return
  throw forbidden(
    'This host name is not the name of the server: use its IP address or localhost, or set OPERATOR_TOKEN and ' +
      'send it',
    'foreign_host',
  )
}

const lengths = new Set([4, 12, 13])

// RFC 3986 §3.2.2, and a port
const hostForm = /^(\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(:\d*)?$/i

const tooMany = new ApiError(431, `There are more than ${mostHeaders} headers`, 'headers_too_large')
const sentTwice = badRequest('Send Host, Authorization and Content-Type only once', 'malformed_http')
const hostMissing = badRequest('The Host header is missing', 'malformed_http')
const hostMalformed = badRequest('The Host header is not a valid host', 'malformed_http')

/** Which proxies are believed when they say where a request came from. */
export interface TrustedProxies {
  /** those at these addresses, or so many of them one behind the other whatever their addresses */
  who: readonly Subnet[] | number
  /** what they write it into; the other header is a stranger's */
  header: 'x-forwarded-for' | 'forwarded'
}

/** Where a request came from. @param peer the address at the other end of the connection */
type ClientAddress = (peer: string | undefined, headers: Headers) => string

/**
 * The address of the connection; of one that a trusted proxy opened, the last address in its header that is no trusted
 * proxy's. Each proxy writes its own peer behind what it was sent, so what is before that anybody may have written.
 */
export function clientAddress(trusted: TrustedProxies | undefined): ClientAddress {
  if (trusted === undefined) return (peer = '') => plain(peer)
  const { who, header } = trusted
  const isTrusted = typeof who === 'number' ? (_: string, hop: number) => hop < who : isOneOf(who)
  const addressesIn = header === 'forwarded' ? inForwarded : inList
  return (peer = '', headers) => {
    let known = plain(peer)
    if (!isTrusted(known, 0)) return known
    const told = addressesIn(String(headers[header] ?? ''))
    for (let hop = 1; ; hop++) {
      const next = told.pop()
      // what a proxy could not tell, such as `unknown`, is the proxy's own
      if (next === undefined || readAddress(next) === undefined) return known
      known = next
      if (!isTrusted(known, hop)) return known
    }
  }
}

const isOneOf = (subnets: readonly Subnet[]) => (text: string) => {
  const address = readAddress(text)
  return address !== undefined && subnets.some((subnet) => isIn(subnet, address))
}

/** An IPv4 address as such, where a socket of IPv6 shows it, and without its port. */
function plain(written: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(written) ?? []
  return (bracketed ?? dotted ?? written).replace(/^::ffff:(?=[\d.]+$)/i, '').toLowerCase()
}

const inList = (header: string) => header.split(',').map((one) => plain(one.trim()))

/** The `for` of each element, the nearest proxy's last; none when one of them is malformed. @see RFC 7239 §4 */
function inForwarded(header: string): string[] {
  const found: string[] = []
  const pairs = /(?:\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]*)))?\s*([,;]|$)/y
  let element: string | undefined
  for (;;) {
    const pair = pairs.exec(header)
    if (pair === null) return []
    const [, name, quoted, token = '', end] = pair
    if (name?.toLowerCase() === 'for') element = plain(quoted?.replace(/\\(.)/g, '$1') ?? token)
    if (end === ';') continue
    found.push(element ?? 'unknown')
    element = undefined
    if (end === '') return found
  }
}
