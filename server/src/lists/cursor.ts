import { createHmac, hash } from 'node:crypto'
import { invalid } from '../contract/errors.ts'
import { packedByKey, timeKeyLimit } from './packing.ts'

/** The end of a page: the position of its last row when it was read, not its id, so the position outlives the row. */
export interface Position {
  /** the list's own sort key in ms since 1970, if it has one besides the id */
  sortMs?: number
  /** every later row of the list has a smaller id (at the same sort key) */
  idBound: string
}

/** A row of a list, as a cursor names it. */
interface Row {
  id: string
  /** the list's own sort key in ms since 1970, if it has one besides the id */
  sortMs?: number
}

/** Makes the cursors of a list opaque: only this instance can read them, for this organization and this list only. */
export interface Cursors {
  /**
   * @param last the row after which the next page begins
   * @param next the first row of that page, for a list with a sort key
   */
  seal(orgId: string, list: List, last: Row, next?: Row): string
  /** @throws 422 if `seal` did not make the cursor for this organization and list */
  open(orgId: string, list: List, cursor: string): Position
  /** Like `seal`, for any 122 bits. @param order the list and its order: the bits open in no other */
  sealBits(orgId: string, order: string, bits: bigint): string
  /** @throws 422 if the text is not a cursor, or if its bits are not known */
  openBits<Known>(orgId: string, order: string, cursor: string, known: (bits: bigint) => Known | undefined): Known
  /** Like `seal`, for a list ordered by unique whole numbers. @param last the number of the last row */
  sealNumber(orgId: string, list: NumberedList, last: number): string
  /** @throws 422 if `sealNumber` did not make the cursor for this organization and list */
  openNumber(orgId: string, list: NumberedList, cursor: string): number
}

type List = 'tasks' | 'subtasks' | 'comments' | 'time-entries' | 'deliveries' | 'trash' | `search ${string}`
type NumberedList = 'events' | 'events, newest first' | 'audit'

const halfBits = 61n
const half = (1n << halfBits) - 1n
const rounds = [0, 1, 2, 3, 4, 5, 6, 7]

/** The packing of ids alone, in which the bits of the key are a check, and the packing of times and ids. */
const packings = {
  ids: packedByKey({ most: 1, empty: false, descending: true }),
  moments: packedByKey({ most: timeKeyLimit, empty: false, descending: true }),
}
const byMoment = (list: List) => list === 'time-entries' || list === 'trash'
const packingOf = (list: List) => (byMoment(list) ? packings.moments : packings.ids)

/**
 * Stateless cursors as UUIDv8 (RFC 9562 §5.8). The 122 free bits contain 44 bits of sort key and the 78 significant bits of the
 * id. If the list is ordered by id alone, the key's bits are zeros, as a check. A balanced Feistel network over SHA-256
 * enciphers them with a key of the organization and the list.
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
      // the bits above are zeros, as a check
      if (plain === undefined || plain > Number.MAX_SAFE_INTEGER) throw notOfThisList()
      return Number(plain)
    },
  }
}

const notOfThisList = () =>
  invalid({ cursor: ['Is not a cursor of this list in this order; start again without a cursor'] })

const placeOf = ({ id, sortMs = 0 }: Row) => ({ run: 0, key: sortMs, id })

function permute(key: Buffer, order: readonly number[], block: bigint): bigint {
  let [leftHigh, leftLow] = numbersOf(block >> halfBits)
  let [rightHigh, rightLow] = numbersOf(block & half)
  // the input of the hash after the key: one byte of the round, eight of the half
  const input = Buffer.allocUnsafe(key.length + 9)
  key.copy(input)
  for (const round of order) {
    input.writeUInt8(round, key.length)
    input.writeUInt32BE(rightHigh, key.length + 1)
    input.writeUInt32BE(rightLow, key.length + 5)
    // all inputs have the same length, so a hash of key and input is as good as an HMAC, at two fifths of its time
    const scrambled = hash('sha256', input, 'hex')
    const high = (leftHigh ^ Number.parseInt(scrambled.slice(0, 8), 16)) & mostHigh
    const low = (leftLow ^ Number.parseInt(scrambled.slice(8, 16), 16)) >>> 0
    leftHigh = rightHigh
    leftLow = rightLow
    rightHigh = high
    rightLow = low
  }
  // the halves come out crossed, so the same network with its rounds reversed undoes it
  return (bigintOf(rightHigh, rightLow) << halfBits) | bigintOf(leftHigh, leftLow)
}

const unpermute = (key: Buffer, block: bigint) => permute(key, rounds.toReversed(), block)

// a half is computed as two numbers, of 29 and 32 bits: with one bigint the eight rounds took longer than their hashes
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
