/** A time range, in ms since 1970. */
export interface Span {
  from: number
  /** Infinity while the entry runs */
  to: number
}

/**
 * Finds a place in a day for time of known length. It starts after the last entry of the day, or at nine on an empty day. If it
 * does not fit there, it goes into the last gap that is long enough. It never overlaps.
 * @param day from its midnight to the next one
 * @param taken the known entries
 * @param nine the start of an empty day
 * @returns the start; undefined when no gap is long enough
 */
export function placeIn(day: Span, taken: readonly Span[], lengthMs: number, nine: number): number | undefined {
  const within = taken
    .filter(({ from, to }) => from < day.to && to > day.from)
    .toSorted((one, other) => one.from - other.from)
  const gaps: Span[] = []
  let free = day.from
  for (const { from, to } of within) {
    if (from > free) gaps.push({ from: free, to: from })
    free = Math.max(free, to)
  }
  const hasBegun = within.some(({ from }) => from >= day.from)
  const behind = hasBegun ? free : Math.max(free, nine)
  if (behind + lengthMs <= day.to) return behind
  const last = [...gaps, { from: free, to: day.to }].findLast(({ from, to }) => to - from >= lengthMs)
  return last && last.to - lengthMs
}
