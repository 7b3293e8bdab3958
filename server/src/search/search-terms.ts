import { isUnspaced, normalizeText } from '../db/normalize-text.ts'
import { chunkMatches, type Place, type PlacedWord, placedWords } from './placed-words.ts'

/** A word to find in a text, or several adjacent words. */
export interface SearchTerm {
  /** normalized, as `wordsIn` returns them */
  words: readonly string[]
  /** whether the last word may be incomplete */
  prefix: boolean
}

/** The position of a match in a text. */
export interface TermMatch extends Place {
  /** the index in the list of words to find */
  which: number
}

/** Yields all matches in a text, in the order of their ends. Between words it yields undefined, so that other work can run. */
export function* findIn(text: string, all: readonly SearchTerm[]): Generator<TermMatch | undefined> {
  if (all.length === 0) return
  const sought = all.map(({ words, prefix }) => ({ words: words.flatMap(parts), prefix }))
  const endsIn = endings(sought)
  const each = [...new Set(sought.flatMap(({ words }) => words.map(({ word }) => word)))]
  const longest = Math.max(...sought.map(({ words }) => words.length))
  const asked = { characters: 0 }
  const last: PlacedWord[] = []
  for (const { 0: stretch, index } of chunkMatches(text)) {
    yield
    if (!mayHold(stretch, each)) {
      last.length = 0
      continue
    }
    for (const placed of placedWords(stretch, index, asked)) {
      last.push(placed)
      if (last.length > longest) last.shift()
      for (const { which, words, prefix } of endsIn(placed.word)) {
        const first = last[last.length - words.length]
        if (first === undefined || !follow(last, words)) continue
        const { end } = placed.place(prefix ? words.at(-1)?.word.length : undefined)
        yield { which, start: first.place().start, end }
      }
      yield
    }
  }
}

/** A word, or a character that is joined to the one before. */
type WordPart = Pick<PlacedWord, 'word' | 'joined'>

const parts = (word: string): WordPart[] =>
  isUnspaced(word) ? Array.from(word, (one, i) => ({ word: one, joined: i > 0 })) : [{ word, joined: false }]

/** Whether a stretch may contain one of these words: normalizing it at once takes a tenth of the time of word by word. */
function mayHold(stretch: string, words: readonly string[]): boolean {
  if (stretch.length > longestFolded) return true
  const folded = normalizeText(stretch)
  return words.some((word) => folded.includes(word))
}

const longestFolded = 4_000

/** Indexes the words to find by their last word: a query may have a hundred words, and a text thousands. */
function endings(sought: readonly { words: readonly WordPart[]; prefix: boolean }[]) {
  const all = sought.map((one, which) => ({ ...one, which, end: one.words.at(-1)?.word ?? '' }))
  const begun = all.filter(({ prefix }) => prefix)
  const whole = new Map<string, typeof all>()
  for (const one of all.filter(({ prefix }) => !prefix)) whole.set(one.end, [...(whole.get(one.end) ?? []), one])
  return (word: string) => [...(whole.get(word) ?? []), ...begun.filter(({ end }) => word.startsWith(end))]
}

/** Whether the words before the last one match. */
function follow(last: readonly WordPart[], words: readonly WordPart[]): boolean {
  const from = last.length - words.length
  // a match may begin within a run of characters
  return words.every(({ word, joined }, i) => {
    const there = last[from + i]
    const isWord = i === words.length - 1 || there?.word === word
    return isWord && (i === 0 || there?.joined === joined)
  })
}
