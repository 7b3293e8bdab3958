import { searched } from '../contract/fields.ts'
import { lexemesOf } from '../db/lexemes.ts'
import { isUnspaced, normalizeText, withoutSymbols, wordsIn } from '../db/normalize-text.ts'
import type { SearchTerm } from './search-terms.ts'

/** A search query: alternatives (`or`), each a list of terms that must all match. */
export type Query = readonly (readonly Term[])[]

/** Planning time grows faster than the number of alternatives. With more of them, `or` is an ordinary word. */
const mostAlternatives = 8

/** The text of a search and its meaning. */
export interface Search {
  text: string
  query: Query
}

/** The parameter with a search. Only this function parses searches. */
export const searchParameter = searched.transform((text): Search => ({ text, query: parsed(text) }))

/** A word or phrase that a text must, or must not, contain. */
export interface Term {
  /** one word, or several in this order */
  words: string[]
  not: boolean
  /** whether the last word may be incomplete */
  begins: boolean
  /** text that the name must contain in any case; words alone would find other names */
  inName?: string
}

/** Whether the term has several lexemes that must be adjacent. */
export const isPhrase = ({ words, begins }: Term): boolean => lexemesOf(words, begins).length > 1

/**
 * Parses a query. Words in quotes are a phrase. Of words joined by other characters (login/logout) each must match; after
 * a minus they are a phrase that must not match. A word that ends in * may be incomplete. A text with a minus also finds names
 * that contain it literally: it may be a pasted title.
 */
function parsed(q: string): Query {
  const folded = normalizeText(withoutSymbols(q))
  const alternatives = alternativesIn(folded, true)
  const query = alternatives.length <= mostAlternatives ? alternatives : alternativesIn(folded, false)
  if (!query.flat().some(({ not }) => not) || hasOnlyExclusions(query)) return query
  return [...query, [{ words: wordsIn(folded), not: false, begins: false, inName: q.trim() }]]
}

function alternativesIn(folded: string, withOr: boolean): Term[][] {
  const either: Term[][] = [[]]
  for (const { groups } of folded.matchAll(/(?<minus>(?<!\S)-(?!-))?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu)) {
    const { minus, phrase, word } = groups ?? {}
    const words = wordsIn(phrase ?? word ?? '')
    if (words.length === 0) continue
    const begins = word !== undefined && /[\p{L}\p{N}\p{M}]\*$/u.test(word)
    const last = either.at(-1) ?? []
    if (withOr && word === 'or' && minus === undefined && last.length > 0) either.push([])
    else if (minus !== undefined || phrase !== undefined) last.push({ words, not: minus !== undefined, begins })
    else last.push(...words.map((one, i) => ({ words: [one], not: false, begins: begins && i === words.length - 1 })))
  }
  return either.filter((terms) => terms.length > 0)
}

/** Whether a query only excludes words, so that only a walk over all rows can find its matches. */
export const hasOnlyExclusions = (query: Query): boolean => query.some((terms) => terms.every(({ not }) => not))

/** The words of a term in the form of `long_text`, with a space around each. */
export const phraseText = ({ words, begins }: Pick<Term, 'words' | 'begins'>): string => {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return `${isUnspaced(first) ? '' : ' '}${words.join(' ')}${begins || isUnspaced(last) ? '' : ' '}`
}

/** The words and phrases to highlight in a matching text: all that must match, of any alternative, each once. */
export function soughtOf(query: Query): SearchTerm[] {
  const sought = query.flat().filter(({ not }) => !not)
  const each = new Map(sought.map(({ words, begins }) => [`${words.join(' ')} ${begins}`, { words, prefix: begins }]))
  return [...each.values()]
}
