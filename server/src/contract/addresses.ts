import { isIP } from 'node:net'

/** An IP address as bytes: 4 for IPv4, 16 for IPv6. Every spelling of an address has the same bytes. */
export type Address = Uint8Array

/** A range of addresses, such as 10.0.0.0/8. */
export interface Subnet {
  address: Address
  prefixBits: number
}

/** Parses an address in its usual form. @returns undefined for other text, such as octal or hexadecimal forms, or zones */
export function readAddress(text: string): Address | undefined {
  const version = text.includes('%') ? 0 : isIP(text)
  if (version === 4) return bytesOfIPv4(text)
  return version === 6 ? bytesOfIPv6(text) : undefined
}

/** Parses `10.0.0.0/8`, or an address as a range of one. @returns undefined if it is invalid or has bits after the prefix */
export function readSubnet(text: string): Subnet | undefined {
  const [, written = '', bits] = /^([^/]+)(?:\/(0|[1-9][0-9]{0,2}))?$/.exec(text) ?? []
  const address = readAddress(written)
  if (address === undefined) return undefined
  const subnet = { address, prefixBits: bits === undefined ? 8 * address.length : Number(bits) }
  if (subnet.prefixBits > 8 * address.length) return undefined
  return address.every((byte, i) => (byte & ~maskAt(subnet, i)) === 0) ? subnet : undefined
}

/** Whether the address is in the range. No IPv4 address is in an IPv6 range, not even in ::ffff:a.b.c.d. */
export function isIn(subnet: Subnet, address: Address): boolean {
  if (subnet.address.length !== address.length) return false
  return address.every((byte, i) => (byte & maskAt(subnet, i)) === subnet.address[i])
}

/** The bits of byte `i` that belong to the prefix. */
function maskAt({ prefixBits }: Subnet, i: number): number {
  const bits = Math.max(0, Math.min(8, prefixBits - 8 * i))
  return (0xff << (8 - bits)) & 0xff
}

const bytesOfIPv4 = (text: string) => Uint8Array.from(text.split('.'), Number)

function bytesOfIPv6(text: string): Address {
  const dotted = text.slice(text.lastIndexOf(':') + 1)
  const tail = dotted.includes('.') ? bytesOfIPv4(dotted) : []
  const words = tail.length === 0 ? text : text.slice(0, -dotted.length).replace(/([^:]):$/, '$1')
  const [left = [], right = []] = words.split('::').map((half) =>
    half
      .split(':')
      .filter((word) => word !== '')
      .flatMap(bytesOfWord),
  )
  const bytes = new Uint8Array(16)
  bytes.set(left)
  bytes.set([...right, ...tail], 16 - right.length - tail.length)
  return bytes
}

function bytesOfWord(word: string): [number, number] {
  const value = Number.parseInt(word, 16)
  return [value >> 8, value & 0xff]
}
