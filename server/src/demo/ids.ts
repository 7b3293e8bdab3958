import { idFrom } from '../db/ids.ts'
import type { Random } from './random.ts'

/** Makes an id whose time is this moment, in ms. */
export type Mint = (ms: number) => string

/**
 * Ids that can be made again: all count on from one number, so that no two share their first 78 bits whatever their time.
 * @param structure decides the counter, the same for every run of a seed
 * @param tail decides the rest, which differs between runs: two organizations of one seed share no id
 */
export function mintFrom(structure: Random, tail: Random): Mint {
  let count = structure.between(0, 2 ** 29)
  const random = Buffer.alloc(6)
  return (ms) => {
    random.writeUInt32BE(tail.between(0, 2 ** 32 - 1))
    random.writeUInt16BE(tail.between(0, 2 ** 16 - 1), 4)
    return idFrom(ms, count++, random)
  }
}
