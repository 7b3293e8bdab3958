import type { Random } from './random.ts'

/** From when to when somebody worked, in ms since midnight. */
export interface WorkSpan {
  from: number
  to: number
  /** whether a timer ran; otherwise it was noted down afterwards, to five minutes */
  timed: boolean
}

const minute = 60_000

/** The spans of a working day, one after the other: eight hours at most, with a break at noon. */
export function spansOf(random: Random, count: number): WorkSpan[] {
  const weights = Array.from({ length: count }, () => 0.4 + 1.3 * random.fraction())
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const total = Math.min(count * random.between(40, 85), random.between(405, 470)) * minute
  let clock = random.between(500 * minute, 575 * minute)
  let rested = false
  return weights.map((weight) => {
    if (!rested && clock > 715 * minute) {
      clock += random.between(30 * minute, 55 * minute)
      rested = true
    }
    const timed = random.chance(0.7)
    const to = clock + Math.max((total * weight) / sum, 6 * minute)
    const span = timed ? { from: clock, to: Math.round(to), timed } : { from: whole(clock), to: whole(to), timed }
    clock = span.to + random.between(20_000, count > 8 ? 3 * minute : 9 * minute)
    return span
  })
}

/** The next five minutes. */
const whole = (ms: number) => Math.ceil(ms / (5 * minute)) * 5 * minute
