/** From a moment to another one, in ms since 1970. */
export interface Span {
  from: number
  /** Infinity while it runs */
  to: number
}

/**
 * Where time of which only the length is known stands within a day: behind the last entry of the day, or at nine where there is
 * none. Where that does not fit, in the last gap that is long enough. It never overlaps.
 * @param day from its midnight to the next one
 * @param taken the entries that are known
 * @param nine where an empty day begins
 * @returns when it begins; undefined when no gap is long enough
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
