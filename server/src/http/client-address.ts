import { isIn, readAddress, type Subnet } from '../contract/addresses.ts'
import type { Headers } from '../contract/headers.ts'

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
