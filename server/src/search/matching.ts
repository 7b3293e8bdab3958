import { normalizedWords } from '../db/normalize-text.ts'
import type { Query } from './query.ts'
import type { Sought } from './sought.ts'

/** Whether a query matches a thing with these texts: for the few that were not prepared to be found. */
export function* matchesTexts(query: Query, texts: readonly (string | null)[]): Generator<void, boolean> {
  const all: string[] = []
  for (const text of texts) all.push(` ${(yield* normalizedWords(text ?? '')).join(' ')} `)
  return query.some((terms) =>
    terms.every(({ words, not, begins }) => {
      const start = ` ${words.join(' ')}${begins ? '' : ' '}`
      return all.some((text) => text.includes(start)) !== not
    }),
  )
}

/** What is looked for in a text that a query matches: all that must be there, of any alternative, each once. */
export function soughtOf(query: Query): Sought[] {
  const sought = query.flat().filter(({ not }) => !not)
  const each = new Map(sought.map(({ words, begins }) => [`${words.join(' ')} ${begins}`, { words, prefix: begins }]))
  return [...each.values()]
}
