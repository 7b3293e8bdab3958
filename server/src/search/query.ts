import { searched, unlessWrong } from '../contract/fields.ts'
import { normalizeText, wordsIn } from '../db/normalize-text.ts'
import { keptAs } from '../db/search-words.ts'

/** What is searched for: alternatives (`or`), each a list of terms that must all match. */
export type Query = readonly (readonly Term[])[]

/** Each alternative is looked for by itself, in each kind, and what PostgreSQL plans for that grows faster than their number. */
const mostAlternatives = 8

/** The parameter that holds a query. */
export const askedFor = searched.refine((q) => parsed(q).length <= mostAlternatives, {
  error: `Must have at most ${mostAlternatives} alternatives between or`,
  ...unlessWrong,
})

/** What must be in the text of a thing, or must not. */
export interface Term {
  /** one, or all in this order */
  words: string[]
  not: boolean
  /** whether the last word may go on */
  begins: boolean
}

/** Whether words must follow each other. */
export const isPhrase = ({ words }: Term): boolean => words.length > 1

/**
 * The query in a text. Words in quotes are a phrase. Of words joined by other characters (login/logout) each must match; after
 * a minus they are a phrase that must not match. A word that ends in * may go on.
 */
export function parsed(q: string): Query {
  const either: Term[][] = [[]]
  for (const { groups } of normalizeText(q).matchAll(/(?<minus>-*)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu)) {
    const { minus, phrase, word } = groups ?? {}
    const words = wordsIn(phrase ?? word ?? '')
    if (words.length === 0) continue
    const begins = word !== undefined && /[\p{L}\p{N}\p{M}]\*$/u.test(word)
    const last = either.at(-1) ?? []
    if (word === 'or' && minus === '' && last.length > 0) either.push([])
    else if (minus || phrase !== undefined) last.push({ words, not: Boolean(minus), begins })
    else last.push(...words.map((one, i) => ({ words: [one], not: false, begins: begins && i === words.length - 1 })))
  }
  return either.filter((terms) => terms.length > 0)
}

/** The words that must be there whole, and those that may go on, as postings have them. */
export function wordsOf(terms: readonly Term[]) {
  const there = terms.filter(({ not }) => !not)
  const whole = there.flatMap(({ words, begins }) => (begins ? words.slice(0, -1) : words))
  const beginning = there.filter(({ begins }) => begins).map(({ words }) => keptAs(words.at(-1) ?? ''))
  return { whole: [...new Set(whole.map(keptAs))], beginning }
}
