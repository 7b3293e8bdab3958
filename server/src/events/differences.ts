interface Difference {
  from: unknown
  to: unknown
  /** whether a value is a long text, cut to its beginning */
  shortened?: true
}

/** The fields that differ between two states of a resource, except version and updatedAt, which always differ. */
export function differences(before: object, after: object): Record<string, Difference> {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, to]) => name !== 'version' && name !== 'updatedAt' && differ(old[name], to))
      .map(([name, to]) => [name, between(old[name], to)]),
  )
}

const differ = (from: unknown, to: unknown) => from !== to && JSON.stringify(from) !== JSON.stringify(to)

const between = (from: unknown, to: unknown): Difference =>
  isLong(from) || isLong(to) ? { from: shortened(from), to: shortened(to), shortened: true } : { from, to }

// the longest name, in UTF-16 code units
const longest = 510

/** Whether a value is a text longer than any name. */
export const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > longest

/** The beginning of a long text. It does not cut a surrogate pair. */
const shortened = (value: unknown): unknown =>
  isLong(value) ? `${value.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : value
