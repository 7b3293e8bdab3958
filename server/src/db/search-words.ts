import { atOnce } from './at-once.ts'
import { longText, normalizedWords } from './normalize-text.ts'

/** A text with more different words has no postings: a bulk of long texts would write hundreds of thousands. */
const mostPostings = 500

/** A longer word is found by its first characters; whether the rest is the same is known from the row. */
const mostCharacters = 64

/** How a word is kept in postings, and looked up. */
export const keptAs = (word: string): string =>
  word.length <= mostCharacters ? word : Array.from(word).slice(0, mostCharacters).join('')

/** The texts of a thing: its name first. */
type Texts = readonly (string | null | undefined)[]

/**
 * What a thing is found by. Between the name and the other texts is a word that no query can contain, as normalizing changes
 * it. So no phrase matches across them.
 */
export interface SearchWords {
  /** the folded words of the name, and the word behind them */
  first: string
  /** those of the other texts */
  others: string
  /**
   * The weight of `first`: whether postings find the thing (A) or not (B), and that a server which knows of postings wrote
   * it: others give none.
   */
  weight: 'A' | 'B'
  /** the words that have a posting, in order */
  posted: string[]
  /** all of it, with a space around each word, if a tsvector may not keep all places; else null */
  long: string | null
}

/** Folds the texts of a thing, some of them at a time: a long one takes as long as a hundred requests. */
export function* foldingTexts(texts: Texts): Generator<void, SearchWords> {
  const folded: string[] = []
  for (const [i, text] of texts.entries())
    if (i === 0 || text) folded.push((yield* normalizedWords(text ?? '')).join(' '))
  const [first = '', ...others] = folded
  const all = ` ${folded.join(' ς ')} `
  const different = new Set(all.split(' ').map(keptAs))
  different.delete('')
  different.delete('ς')
  const isLong = different.size > mostPostings
  yield
  return {
    first: ` ${first} ς `,
    others: ` ${others.join(' ς ')} `,
    weight: isLong ? 'B' : 'A',
    posted: isLong ? [] : [...different].sort(),
    long: longText(all),
  }
}

/** The same where nobody waits. */
export const searchWordsOf = (texts: Texts): SearchWords => atOnce(foldingTexts(texts))

/** The same as text of a tsvector, for COPY. @see PostgreSQL, Text Search Types */
export function asTsvector({ first, others, weight }: SearchWords): string {
  const places = new Map<string, string[]>()
  let place = 0
  const add = (words: string, mark: string) => {
    for (const word of words.split(' ').filter(Boolean)) {
      const known = places.get(word)
      if (known) known.push(`${++place}${mark}`)
      else places.set(word, [`${++place}${mark}`])
    }
  }
  add(first, weight)
  add(others, '')
  return [...places].map(([word, found]) => `${word}:${found.join()}`).join(' ')
}
