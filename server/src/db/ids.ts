import { randomBytes, randomInt } from 'node:crypto'

// one counter per process, so two of its ids never share their first 78 significant bits
let lastMs = 0
let counter = 0

/**
 * The distance of a process's ids within a millisecond, as a power of two. So between any two of them lies a round place, whose
 * lowest `strideBits` are zero. A cursor prefers such a place and uses the zeros as a check.
 */
export const strideBits = 18
const stride = 2 ** strideBits

/**
 * A new UUIDv7 (RFC 9562 §5.7, §6.2 method 1): 48 bits of milliseconds, 30 bits of counter, 44 random bits. The counter gets
 * a random seed each millisecond and then advances in strides. An id is never earlier than the one before, even if the
 * clock goes back.
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

/** The time in an id. */
export const timeOf = (id: string): Date => new Date(Number(`0x${id.slice(0, 8)}${id.slice(9, 13)}`))

/** A new id and the time in it: `createdAt` of a row whose list orders by id alone. */
export function newTimedId(): { id: string; createdAt: string } {
  const id = newId()
  return { id, createdAt: timeOf(id).toISOString() }
}

/** The first 78 significant bits of an id, its milliseconds and its counter: its place in the order of ids. */
export function placeOf(id: string): bigint {
  const hex = id.replaceAll('-', '')
  const ms = BigInt(`0x${hex.slice(0, 12)}`)
  const high = BigInt(`0x${hex.slice(13, 16)}`)
  const low = BigInt(`0x${hex.slice(16, 21)}`) & 0x3ffffn
  return (ms << 30n) | (high << 18n) | low
}

/** The smallest id at a place: an id below it also sorts below every other id of that place. */
export function firstIdAt(place: bigint): string {
  return idFrom(Number(place >> 30n), Number(place & 0x3fffffffn), Buffer.alloc(6))
}

/** The smallest id of a time. */
export const firstIdOf = (moment: string): string => firstIdAt(BigInt(Date.parse(moment)) << 30n)

/** An id with this time in ms, this counter (30 bits) and these random bits (44, of 6 bytes). */
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

/** An id that belongs to nothing. It stands for callers without an organization, such as the operator, and sorts first. */
export const nilId = '00000000-0000-0000-0000-000000000000'
