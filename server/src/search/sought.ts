import { normalizeText } from '../db/normalize-text.ts'
import { type Place, placedWords } from './placed-words.ts'

/** What is looked for: one word, or several that follow each other. */
export interface Sought {
  /** folded, as `wordsIn` has them */
  words: readonly string[]
  /** whether the last of them may go on */
  prefix: boolean
}

/** Where something that is looked for stands in a text. */
export interface Found extends Place {
  /** which of what is looked for */
  which: number
}

/** Where anything of what is looked for stands in a text, in the order in which it ends. */
export function* findIn(text: string, sought: readonly Sought[]): Generator<Found> {
  // to fold a text at once takes a tenth of the time that its words take one by one
  const folded = normalizeText(text)
  if (!sought.some(({ words: [first] }) => folded.includes(first ?? ''))) return
  const longest = Math.max(0, ...sought.map(({ words }) => words.length))
  const last: { word: string; place: (letters?: number) => Place }[] = []
  for (const placed of placedWords(text)) {
    last.push(placed)
    if (last.length > longest) last.shift()
    for (const [which, { words, prefix }] of sought.entries()) {
      const first = last[last.length - words.length]
      if (first === undefined || !ends(last, words, prefix)) continue
      const { end } = placed.place(prefix ? words.at(-1)?.length : undefined)
      yield { which, start: first.place().start, end }
    }
  }
}

function ends(last: readonly { word: string }[], words: readonly string[], prefix: boolean): boolean {
  const from = last.length - words.length
  return words.every((word, i) => {
    const there = last[from + i]?.word ?? ''
    return there === word || (prefix && i === words.length - 1 && there.startsWith(word))
  })
}
