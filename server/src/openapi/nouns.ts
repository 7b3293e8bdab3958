/** The noun of one item, by a segment of a path: `time entry` for `time-entries`. */
export const nounOf = (segment: string): string =>
  segment.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ').replace(/^api /, 'API ')
