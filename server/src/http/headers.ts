import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isIn, readAddress, type Subnet } from '../contract/addresses.ts'
import { ApiError, badRequest, forbidden } from '../contract/errors.ts'
import { type Headers, mostHeaders } from '../contract/headers.ts'

/**
 * Checks the headers of any request. It refuses a duplicate header, because Node would silently take the first value.
 * @returns undefined if the headers are valid
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
 * Refuses a request with a foreign host name. A web page can reach this server under its own name if that name resolves to
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
    'This host name is not the name of the server: use its IP address or localhost, or set OPERATOR_TOKEN and send it',
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

/** The proxies that the server trusts to name the client address. */
export interface TrustedProxies {
  /** the addresses of the proxies, or how many proxies a request passes in a row */
  who: readonly Subnet[] | number
  /** the header that they write; a client can forge the other one */
  header: 'x-forwarded-for' | 'forwarded'
}

/** Finds the address of the client. @param peer the address at the other end of the connection */
type ClientAddress = (peer: string | undefined, headers: Headers) => string

/**
 * The client address is the peer of the connection. If the peer is a trusted proxy, it is the last address in the header that
 * does not belong to a trusted proxy. Each proxy appends its own peer, so a client can forge all addresses before that.
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
      // if the proxy did not know the address, as with `unknown`, use the address of the proxy
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

/** Removes the port, and the IPv6 prefix of an IPv4 address. */
function plain(written: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(written) ?? []
  return (bracketed ?? dotted ?? written).replace(/^::ffff:(?=[\d.]+$)/i, '').toLowerCase()
}

const inList = (header: string) => header.split(',').map((one) => plain(one.trim()))

/** The `for` of each element, with the nearest proxy last; no addresses if any element is malformed. @see RFC 7239 §4 */
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
