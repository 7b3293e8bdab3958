import { normalizeText } from '../../db/normalize-text.ts'

/** What the key of a project that came without one begins with: the initials of its name, or the first letters of one word. */
export function startOfKey(projectName: string): string {
  const words =
    normalizeText(projectName)
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? []
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '')
  const wanted = letters.replace(/^[0-9]+/, '').slice(0, 4)
  return wanted.length >= 2 ? wanted : `${wanted}PROJ`.slice(0, 4)
}

/** The key with this number: where other projects have those before it. */
export const numberedKey = (start: string, number: number): string => (number === 1 ? start : `${start}${number}`)
