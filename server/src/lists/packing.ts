import { firstIdAt, placeOf, strideBits } from '../db/ids.ts'

/** The place of a row in an order. */
export interface RowPlace {
  /** 0 for rows with a key, 1 for rows without; on a board the position of the stage. Runs ascend in both directions */
  run: number
  /** its sort key as a whole number */
  key: number
  id: string
}

/** The end of a page, between its last row and the next one. */
export interface Bound {
  run: number
  key: number
  /** the border between the ids of two pages, at one key: later rows are below it (descending), or at or above it (ascending) */
  idBound: string
}

/** Converts a bound to the 122 bits of a cursor and back. */
export interface Packing {
  /** @param next the row after the last one; absent: the bound is right after the last row */
  pack(last: RowPlace, next?: RowPlace): bigint
  /** undefined for bits that it never packed; about one of 13,000 such values passes */
  open(block: bigint): Bound | undefined
}

const placeBits = 78n

/** A round place has these bits zero. Ids of one process are further apart, so there is a round place between any two. */
const roundMask = (1n << BigInt(strideBits)) - 1n

// ids are UUIDv7 since then, so no place is earlier
const epochMs = Date.UTC(2024, 0, 1)
const maxClockSkewMs = 86_400_000

/** The bound of keys that are times in ms since 1970, to the year 2527: every key is smaller. */
export const timeKeyLimit = 2 ** 44 - 1

const latestMs = Date.UTC(2100, 0, 1)

interface Keys {
  /** upper bound of the keys, at most 2^44 - 1 */
  most: number
  /** whether there are rows without a key, after all others */
  empty: boolean
  descending: boolean
}

/** The key of rows without a key: every other key is smaller. */
const noKey = 2 ** 44 - 1

/** With at most this many keys, the key's unused bits are enough as a check. */
const smallKeyLimit = 2 ** 20

/** 44 bits of the key, and the 78 significant bits of an id. */
export const packedByKey = ({ most, empty, descending }: Keys): Packing => ({
  pack(last, next) {
    const key = last.run === 1 ? noKey : last.key
    return (BigInt(key) << placeBits) | placeBetween(last, next, descending)
  },
  open(block) {
    const key = Number(block >> placeBits)
    const place = block & ((1n << placeBits) - 1n)
    const idBound = firstIdAt(place)
    if (empty && key === noKey) return { run: 1, key: 0, idBound }
    if (key >= most) return undefined
    // the bound is not round if two rows of one key have closer ids: then check the other bits of the key, or the time of the id
    const known = (place & roundMask) === 0n || most <= smallKeyLimit || (key < latestMs && isMinted(place))
    return known ? { run: 0, key, idBound } : undefined
  },
})

function isMinted(place: bigint): boolean {
  const mintedMs = Number(place >> 30n)
  return mintedMs >= epochMs && mintedMs <= Date.now() + maxClockSkewMs
}

/**
 * The place that ends a page: the roundest one between the two rows. Its zero bits are the check of a cursor. They do not depend
 * on the clock that created the rows.
 */
function placeBetween(last: RowPlace, next: RowPlace | undefined, descending: boolean): bigint {
  const place = placeOf(last.id)
  if (next === undefined) return descending ? place : place + 1n
  const follower = placeOf(next.id)
  const beside = last.run === next.run && last.key === next.key
  if (descending) {
    const round = place & ~roundMask
    return !beside || follower < round ? round : place
  }
  const round = (place | roundMask) + 1n
  return !beside || round <= follower ? round : place + 1n
}

/** key = rank * 2^41 + ms since 2024. Up to eight ranks, to the year 2093; 0 ms means no time. */
export const rankLayout = { epochMs, perRank: 2 ** 41 }

/** A key with a rank, and the 78 significant bits of an id. */
export const packedByRank = (descending: boolean): Packing => ({
  pack: (last, next) => (BigInt(last.key) << placeBits) | placeBetween(last, next, descending),
  open(block) {
    const key = Number(block >> placeBits)
    const place = block & ((1n << placeBits) - 1n)
    const sinceMs = key % rankLayout.perRank
    const isPast = sinceMs === 0 || epochMs + sinceMs <= Date.now() + maxClockSkewMs
    const known = (place & roundMask) === 0n || (isMinted(place) && isPast)
    return known ? { run: 0, key, idBound: firstIdAt(place) } : undefined
  },
})

const positionBits = 54n
const positionOffset = 1n << (positionBits - 1n)

/**
 * Two positions (order.ts in resources/board): unique where they order, and integers that JSON readers can hold, so 54 bits
 * with the sign. `run` is the position of the row's container, `key` the row's own. The other 14 bits are zeros, as a check.
 */
export const packedByPositions: Packing = {
  pack: ({ run, key }) => (ofPosition(run) << positionBits) | ofPosition(key),
  open(block) {
    const high = block >> positionBits
    if (high >> positionBits !== 0n) return undefined
    return { run: positionIn(high), key: positionIn(block & ((1n << positionBits) - 1n)), idBound: firstIdAt(0n) }
  },
}

const ofPosition = (position: number) => BigInt(position) + positionOffset
const positionIn = (bits: bigint) => Number(bits - positionOffset)
