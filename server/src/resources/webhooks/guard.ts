import { type Address, isIn, readAddress, readSubnet, type Subnet } from '../../contract/addresses.ts'

/**
 * Whether a request may go to this address: it is global unicast, or the operator allows it.
 * @see the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890), RFC 4291 §2.4
 */
export function mayConnectTo(address: Address, allowed: readonly Subnet[]): boolean {
  return isGlobalUnicast(address) || isAllowed(address, allowed)
}

/** Whether the operator allows this address. Then it needs no TLS either. */
export const isAllowed = (address: Address, allowed: readonly Subnet[]) => allowed.some((one) => isIn(one, address))

function isGlobalUnicast(address: Address): boolean {
  if (address.length === 4) return !special4.some((one) => isIn(one, address))
  // addresses with an IPv4 address inside are outside 2000::/3 or in the list below: mapped, compatible, NAT64, Teredo,
  // 6to4
  return globalUnicast6.some((one) => isIn(one, address)) && !special6.some((one) => isIn(one, address))
}

const subnets = (...written: string[]) => written.flatMap((text) => readSubnet(text) ?? [])

/** All of the registry whose column "Globally Reachable" is not true, and multicast. */
const special4 = subnets(
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared, behind the NAT of a provider
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocols of the IETF; nobody serves its two anycast addresses
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and limited broadcast
)

const globalUnicast6 = subnets('2000::/3')
const special6 = subnets(
  '2001::/23', // protocols of the IETF: Teredo, benchmarks, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
)

/** The receiver of requests: its name or address, without brackets. */
export interface Receiver {
  url: URL
  host: string
  /** if the host is an address, not a name */
  literal: Address | undefined
}

/** The end of a refusal that the operator can lift. */
export const unlessAllowed = 'unless the operator allows its address with WEBHOOK_ALLOWED_SUBNETS'

/**
 * Reads the URL of a receiver. Names are resolved only when a request is sent, except localhost.
 * @returns the receiver, or all problems of the URL, in plain sentences
 */
export function readReceiver(text: string, allowed: readonly Subnet[]): Receiver | { problems: string[] } {
  if (!URL.canParse(text)) return { problems: ['Must be a URL such as https://example.com/hooks'] }
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const literal = readAddress(host)
  const problems = [
    ...problemsOfScheme(url, literal, allowed),
    ...(url.username !== '' || url.password !== '' ? ['Must not contain a user or a password'] : []),
    ...(literal && !mayConnectTo(literal, allowed) ? [`Must be a public address, ${unlessAllowed}`] : []),
    ...(isLocalhost(host) && !loopback.some((one) => isAllowed(one, allowed))
      ? [`Must not name the machine of the server, ${unlessAllowed}`]
      : []),
  ]
  return problems.length > 0 ? { problems } : { url, host, literal }
}

function problemsOfScheme({ protocol }: URL, literal: Address | undefined, allowed: readonly Subnet[]): string[] {
  if (protocol === 'https:') return []
  if (protocol !== 'http:') return ['Must begin with https://']
  if (literal ? isAllowed(literal, allowed) : allowed.length > 0) return []
  return [
    literal && isGlobalUnicast(literal) ? 'Must begin with https://' : `Must begin with https://, ${unlessAllowed}`,
  ]
}

/** @see RFC 6761 §6.3: these names always mean the loopback addresses; name servers do not matter */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/.test(host)

const loopback = ['127.0.0.1', '::1'].flatMap((text) => readAddress(text) ?? [])
