import { firstIdAt, placeOf, strideBits } from '../db/ids.ts'

/** Where a row stands in an order. */
export interface PackedPlace {
  /** which part of the order it is in; parts follow each other ascending, whatever the direction */
  run: number
  /** its sort key as a whole number */
  key: number
  id: string
}

/** Where a page ended: between its last row and what came behind it. */
export interface Bound {
  run: number
  key: number
  /** descending: every row behind it has a smaller id, at the same key; ascending: this one or a larger one */
  idBound: string
}

/** How a bound becomes the 122 bits of a cursor, and is known again. */
export interface Packing {
  /** @param next what comes behind the last row; absent: the bound is right behind that */
  pack(last: PackedPlace, next?: PackedPlace): bigint
  /** undefined for what it never packed, but for one of some 13,000 */
  open(block: bigint): Bound | undefined
}

const placeBits = 78n

/** The bits that a round place has not: ids of one process stand further apart. */
const roundness = (1n << BigInt(strideBits)) - 1n

// ids are minted as UUIDv7 since then; a place before it was never given out
const epochMs = Date.UTC(2024, 0, 1)
const clockSkewMs = 86_400_000

/** Keys that are moments, to the year 2527, in ms since 1970: none is as large. */
export const moments = 2 ** 44 - 1

const latestMs = Date.UTC(2100, 0, 1)

interface Keys {
  /** no key is as large; at most 2^44 - 1 */
  most: number
  /** whether there are rows without a key, behind all others */
  empty: boolean
  descending: boolean
}

/** Rows without a key: no key is as large as this. */
const noKey = 2 ** 44 - 1

/** With no more keys than these, the bits that are zero in all of them are check enough. */
const fewKeys = 2 ** 20

/** 44 bits of the key, and the 78 significant ones of an id. */
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
    // an exact place parts two rows of one key that stand closer than those of one process
    const known = (place & roundness) === 0n || most <= fewKeys || (key < latestMs && isMinted(place))
    return known ? { run: 0, key, idBound } : undefined
  },
})

function isMinted(place: bigint): boolean {
  const mintedMs = Number(place >> 30n)
  return mintedMs >= epochMs && mintedMs <= Date.now() + clockSkewMs
}

/**
 * The place that ends a page: as round a one as lies between the two rows, which is the check by which a cursor is known
 * again, whatever the clock said when the rows were made.
 */
function placeBetween(last: PackedPlace, next: PackedPlace | undefined, descending: boolean): bigint {
  const place = placeOf(last.id)
  if (next === undefined) return descending ? place : place + 1n
  const follower = placeOf(next.id)
  const beside = last.run === next.run && last.key === next.key
  if (descending) {
    const round = place & ~roundness
    return !beside || follower < round ? round : place
  }
  const round = (place | roundness) + 1n
  return !beside || round <= follower ? round : place + 1n
}

/** Keys that hold a rank, of which there are up to eight, above a moment in ms since 2024, to the year 2093; or zero for none. */
export const rankPlaces = { epochMs, perRank: 2 ** 41 }

/** Such a key, and the 78 significant bits of an id. */
export const packedByRank = (descending: boolean): Packing => ({
  pack: (last, next) => (BigInt(last.key) << placeBits) | placeBetween(last, next, descending),
  open(block) {
    const key = Number(block >> placeBits)
    const place = block & ((1n << placeBits) - 1n)
    const sinceMs = key % rankPlaces.perRank
    const isPast = sinceMs === 0 || epochMs + sinceMs <= Date.now() + clockSkewMs
    const known = (place & roundness) === 0n || (isMinted(place) && isPast)
    return known ? { run: 0, key, idBound: firstIdAt(place) } : undefined
  },
})

const positionBits = 54n
const positionOffset = 1n << (positionBits - 1n)

/**
 * Two positions (order.ts in resources/board: distinct in what they order, and integers that JSON readers can hold, so 54
 * bits with the sign): `run` is that of what holds a row, `key` the row's own. Zeros in the 14 bits that are left are the check.
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
