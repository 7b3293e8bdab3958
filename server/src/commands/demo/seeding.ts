import { idFrom } from '../../db/ids.ts'
import type { Events } from './events.ts'
import type { Random } from './random.ts'
import type { Rows } from './rows.ts'

/** The state of a seeding: random choices, ids, days, and the rows and events so far. */
export interface SeedContext {
  random: Random
  mint: Mint
  /** the midnight (UTC) of a working day, in ms */
  day: (workday: number) => number
  nowMs: number
  rows: Rows
  events: Events
}

/** Creates an id with this time, in ms. */
export type Mint = (ms: number) => string

/**
 * Creates ids. A counter continues from one random number, so no two ids share their first 78 bits.
 * @param structure gives the start of the counter, which is the same in every run of a seed
 * @param tail gives the other bits, which differ between runs: two organizations of one seed share no id
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

/** A time within the working hours of a day, in ms. */
export const momentOn = ({ random, day }: SeedContext, workday: number): number =>
  day(workday) + random.between(8.5 * 3_600_000, 17.5 * 3_600_000)
