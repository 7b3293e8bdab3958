import type { Events } from './events.ts'
import type { Mint } from './ids.ts'
import type { Random } from './random.ts'
import type { Rows } from './rows.ts'

/** What everything is made with: chance, ids, days, and rows to write to. */
export interface Ground {
  random: Random
  mint: Mint
  /** the midnight (UTC) of a working day, in ms */
  day: (workday: number) => number
  nowMs: number
  rows: Rows
  events: Events
}

/** A moment within working hours of a day, in ms. */
export const momentOn = ({ random, day }: Pick<Ground, 'random' | 'day'>, workday: number): number =>
  day(workday) + random.between(8.5 * 3_600_000, 17.5 * 3_600_000)
