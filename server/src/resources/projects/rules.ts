import { normalizeText } from '../../db/normalize-text.ts'

/**
 * The key of a project that came without one: the initials of its name, or its first letters when it is one word; with
 * a number behind them when another project has that key.
 */
export function keyFrom(projectName: string, taken: ReadonlySet<string>): string {
  const words =
    normalizeText(projectName)
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? []
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '')
  const wanted = letters.replace(/^[0-9]+/, '').slice(0, 4)
  const start = wanted.length >= 2 ? wanted : `${wanted}PROJ`.slice(0, 4)
  if (!taken.has(start)) return start
  for (let number = 2; ; number++) {
    const key = `${start}${number}`
    if (!taken.has(key)) return key
  }
}
