import type { Events } from './events.ts'
import type { Mint } from './ids.ts'
import type { Random } from './random.ts'
import type { Rows } from './rows.ts'

/** The organization that is being made: chance, ids, days, and the rows and events so far. */
export interface Seeding {
  random: Random
  mint: Mint
  /** the midnight (UTC) of a working day, in ms */
  day: (workday: number) => number
  nowMs: number
  rows: Rows
  events: Events
}

/** A moment within the working hours of a day, in ms. */
export const momentOn = ({ random, day }: Seeding, workday: number): number =>
  day(workday) + random.between(8.5 * 3_600_000, 17.5 * 3_600_000)
