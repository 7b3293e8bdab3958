import { createHmac, hash } from 'node:crypto'
import { invalid } from '../contract/errors.ts'
import { moments, packedByKey } from './packing.ts'

/** Where a page ended: the position of its last row as it was read, not its id, so it outlives the row. */
export interface Position {
  /** the list's own sort key in ms since 1970, where it has one besides the id */
  sortMs?: number
  /** every row that comes after it in the list has a smaller id (at the same sort key) */
  idBound: string
}

/** A row of a list, as a cursor names it. */
interface Row {
  id: string
  /** the list's own sort key in ms since 1970, where it has one besides the id */
  sortMs?: number
}

/** Makes the cursors of a list opaque: only this instance can read them, for this organization and this list only. */
export interface Cursors {
  /**
   * @param last the row behind which the next page begins
   * @param next the first row of that page, for a list that has a sort key
   */
  seal(orgId: string, list: List, last: Row, next?: Row): string
  /** @throws 422 when the cursor was not made by `seal` for this organization and list */
  open(orgId: string, list: List, cursor: string): Position
  /** The same of any 122 bits. @param order the list and its order: the bits open in no other */
  sealBits(orgId: string, order: string, bits: bigint): string
  /** @throws 422 when it is no cursor, or one of bits that are not known */
  openBits<Known>(orgId: string, order: string, cursor: string, known: (bits: bigint) => Known | undefined): Known
  /** The same of a list that is ordered by whole numbers, of which it has no two alike: from that of the last row. */
  sealNumber(orgId: string, list: NumberedList, last: number): string
  /** @throws 422 when the cursor was not made by `sealNumber` for this organization and list */
  openNumber(orgId: string, list: NumberedList, cursor: string): number
}

type List = 'tasks' | 'subtasks' | 'comments' | 'time-entries' | 'deliveries' | 'trash' | `search ${string}`
type NumberedList = 'events' | 'events, newest first' | 'audit'

const halfBits = 61n
const half = (1n << halfBits) - 1n
const rounds = [0, 1, 2, 3, 4, 5, 6, 7]

/** Of ids alone, which leave the bits of a key as a check, and of moments and ids. */
const packings = {
  ids: packedByKey({ most: 1, empty: false, descending: true }),
  moments: packedByKey({ most: moments, empty: false, descending: true }),
}
const byMoment = (list: List) => list === 'time-entries' || list === 'trash'
const packingOf = (list: List) => (byMoment(list) ? packings.moments : packings.ids)

/**
 * Stateless cursors in a UUIDv8 (RFC 9562 §5.8): its 122 free bits hold 44 bits of sort key (zeros as a check, where the
 * list is ordered by id alone) and the 78 significant bits of the id, enciphered by a balanced Feistel network over
 * SHA-256 behind a key of the organization and the list.
 * @see Luby and Rackoff, How to construct pseudorandom permutations (1988)
 */
export function createCursors(secret: Buffer): Cursors {
  const keys = new Map<string, Buffer>()
  const keyOf = (orgId: string, list: string) => {
    const label = `cursor ${list} ${orgId}`
    let key = keys.get(label)
    if (key === undefined) {
      if (keys.size >= 10_000) keys.clear()
      key = createHmac('sha256', secret).update(label).digest()
      keys.set(label, key)
    }
    return key
  }
  const plainOf = (orgId: string, list: string, cursor: string) => {
    const block = fromUuid(cursor)
    return block === undefined ? undefined : unpermute(keyOf(orgId, list), block)
  }
  return {
    seal(orgId, list, last, next) {
      const block = packingOf(list).pack(placeOf(last), next && placeOf(next))
      return toUuid(permute(keyOf(orgId, list), rounds, block))
    },
    open(orgId, list, cursor) {
      const plain = plainOf(orgId, list, cursor)
      const bound = plain === undefined ? undefined : packingOf(list).open(plain)
      if (bound === undefined) throw notOfThisList()
      const { key: sortMs, idBound } = bound
      return byMoment(list) ? { sortMs, idBound } : { idBound }
    },
    sealBits: (orgId, order, bits) => toUuid(permute(keyOf(orgId, order), rounds, bits)),
    openBits(orgId, order, cursor, known) {
      const bits = plainOf(orgId, order, cursor)
      const opened = bits === undefined ? undefined : known(bits)
      if (opened === undefined) throw notOfThisList()
      return opened
    },
    sealNumber: (orgId, list, last) => toUuid(permute(keyOf(orgId, list), rounds, BigInt(last))),
    openNumber(orgId, list, cursor) {
      const plain = plainOf(orgId, list, cursor)
      // the bits above are zeros as a check
      if (plain === undefined || plain > Number.MAX_SAFE_INTEGER) throw notOfThisList()
      return Number(plain)
    },
  }
}

const notOfThisList = () => invalid({ cursor: ['Not a cursor of this list in this order; start again without one'] })

const placeOf = ({ id, sortMs = 0 }: Row) => ({ run: 0, key: sortMs, id })

function permute(key: Buffer, order: readonly number[], block: bigint): bigint {
  let [leftHigh, leftLow] = numbersOf(block >> halfBits)
  let [rightHigh, rightLow] = numbersOf(block & half)
  // what is hashed, behind the key: one byte of the round, eight of the half
  const input = Buffer.allocUnsafe(key.length + 9)
  key.copy(input)
  for (const round of order) {
    input.writeUInt8(round, key.length)
    input.writeUInt32BE(rightHigh, key.length + 1)
    input.writeUInt32BE(rightLow, key.length + 5)
    // all inputs are of one length, so a hash of key and input is as good as an HMAC, at two fifths of its time
    const scrambled = hash('sha256', input, 'hex')
    const high = (leftHigh ^ Number.parseInt(scrambled.slice(0, 8), 16)) & mostHigh
    const low = (leftLow ^ Number.parseInt(scrambled.slice(8, 16), 16)) >>> 0
    leftHigh = rightHigh
    leftLow = rightLow
    rightHigh = high
    rightLow = low
  }
  // the halves leave crossed, so that the same network with its rounds reversed undoes it
  return (bigintOf(rightHigh, rightLow) << halfBits) | bigintOf(leftHigh, leftLow)
}

const unpermute = (key: Buffer, block: bigint) => permute(key, rounds.toReversed(), block)

// a half is computed as two numbers, of 29 and of 32 bits: as one bigint its eight rounds took longer than their hashes
const numbersOf = (half: bigint): [high: number, low: number] => [Number(half >> 32n), Number(half & 0xffffffffn)]
const bigintOf = (high: number, low: number): bigint => (BigInt(high) << 32n) | BigInt(low)
const mostHigh = 2 ** 29 - 1

/** 48 bits, the version 8, 12 bits, the variant, 62 bits. */
function toUuid(block: bigint): string {
  const high = (block >> 74n).toString(16).padStart(12, '0')
  const middle = ((block >> 62n) & 0xfffn).toString(16).padStart(3, '0')
  const low = (0x8000000000000000n | (block & 0x3fffffffffffffffn)).toString(16)
  return `${high.slice(0, 8)}-${high.slice(8)}-8${middle}-${low.slice(0, 4)}-${low.slice(4)}`
}

function fromUuid(uuid: string): bigint | undefined {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(hex)) return undefined
  const high = BigInt(`0x${hex.slice(0, 12)}`)
  const middle = BigInt(`0x${hex.slice(13, 16)}`)
  const low = BigInt(`0x${hex.slice(16)}`) & 0x3fffffffffffffffn
  return (high << 74n) | (middle << 62n) | low
}
