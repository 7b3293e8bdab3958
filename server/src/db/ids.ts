import { randomBytes, randomInt } from 'node:crypto'

// one process mints from one counter, so two ids of it never share their first 78 significant bits
let lastMs = 0
let counter = 0

/**
 * How far apart ids of one process are within a millisecond, as a power of two. So between any two of them is a round place:
 * one whose lowest `strideBits` are zero. A cursor prefers such a place, which is its check.
 */
export const strideBits = 18
const stride = 2 ** strideBits

/**
 * A new UUIDv7 (RFC 9562 §5.7, §6.2 method 1): 48 bits of milliseconds, 30 bits of a counter that is seeded at random
 * each millisecond and goes on in strides, 44 random bits. Never earlier than the one before it, whatever the clock does.
 */
export function newId(nowMs = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = randomInt(2 ** 29)
  } else if (counter + stride < 2 ** 30) {
    counter += stride
  } else {
    lastMs += 1
    counter = randomInt(2 ** 29)
  }
  return idFrom(lastMs, counter, randomBytes(6))
}

/** The moment in an id. */
export const timeOf = (id: string): Date => new Date(Number(`0x${id.slice(0, 8)}${id.slice(9, 13)}`))

/** The first 78 significant bits of an id (its milliseconds and its counter): its place in the order of ids. */
export function placeOf(id: string): bigint {
  const hex = id.replaceAll('-', '')
  const ms = BigInt(`0x${hex.slice(0, 12)}`)
  const high = BigInt(`0x${hex.slice(13, 16)}`)
  const low = BigInt(`0x${hex.slice(16, 21)}`) & 0x3ffffn
  return (ms << 30n) | (high << 18n) | low
}

/** The smallest id at a place: whatever sorts below it sorts below every id of that place. */
export function firstIdAt(place: bigint): string {
  return idFrom(Number(place >> 30n), Number(place & 0x3fffffffn), Buffer.alloc(6))
}

/** The smallest id of a moment. */
export const firstIdOf = (moment: string): string => firstIdAt(BigInt(Date.parse(moment)) << 30n)

/** An id of a moment, in ms, with this counter (30 bits) and these random bits (44, of 6 bytes). */
export function idFrom(ms: number, count: number, random: Buffer): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | (count >>> 18), 6)
  bytes.writeUInt16BE(0x8000 | ((count >>> 4) & 0x3fff), 8)
  random.copy(bytes, 10)
  bytes[10] = ((count & 0xf) << 4) | ((bytes[10] ?? 0) & 0xf)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** An id that nothing has: of whoever is in no organization, such as the operator. It comes before all others. */
export const nilId = '00000000-0000-0000-0000-000000000000'
