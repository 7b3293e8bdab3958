/** Words of other programs for words of tw. */
const alsoCalled: Record<string, readonly string[]> = {
  ...{ read: ['get'], show: ['get'], view: ['get'], open: ['get'], ls: ['list'], index: ['list'] },
  ...{ new: ['create', 'add'], add: ['create'], edit: ['update'], set: ['update'], change: ['update'] },
  ...{ rm: ['delete', 'remove'], remove: ['delete'], del: ['delete', 'remove'] },
}

/** A sentence with known words similar to an unknown one; empty if none is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const others = Object.hasOwn(alsoCalled, word) ? alsoCalled[word] : undefined
  const named = others?.filter((one) => known.includes(one)) ?? []
  const like = known
    .map((one) => ({ one, far: one.startsWith(word) ? 0 : distance(word, one) }))
    .filter(({ one, far }) => far <= Math.max(1, Math.floor(Math.min(word.length, one.length) / 3)))
    .toSorted((one, other) => one.far - other.far)
    .map(({ one }) => one)
  const best = [...new Set([...named, ...like])].slice(0, 3)
  return best.length === 0 ? '' : ` Did you mean ${best.join(' or ')}?`
}

/** The number of letters to change, insert, delete or swap. @see Damerau and Levenshtein, "optimal string alignment" */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= one.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= other.length; j++) {
      const differs = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? at(i - 2, j - 2) + 1 : at(0, -1)
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + differs, swapped))
    }
  }
  return at(one.length, other.length)
}
