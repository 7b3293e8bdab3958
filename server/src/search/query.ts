import { searched } from '../contract/fields.ts'
import { lexemesOf } from '../db/lexemes.ts'
import { isUnspaced, normalizeText, withoutSymbols, wordsIn } from '../db/normalize-text.ts'
import type { Sought } from './sought.ts'

/** What is searched for: alternatives (`or`), each a list of terms that must all match. */
export type Query = readonly (readonly Term[])[]

/** What PostgreSQL plans for alternatives grows faster than their number. With more of them, `or` is a word. */
const mostAlternatives = 8

/** What somebody typed to search for, and what it means. */
export interface Search {
  text: string
  query: Query
}

/** The parameter that holds a search: it is parsed here, and nowhere else. */
export const searchParameter = searched.transform((text): Search => ({ text, query: parsed(text) }))

/** What must be in the text of a thing, or must not. */
export interface Term {
  /** one, or all in this order */
  words: string[]
  not: boolean
  /** whether the last word may go on */
  begins: boolean
  /** the text that must stand in the name, exactly so but for its case: words alone would find others */
  inName?: string
}

/** Whether lexemes must follow each other. */
export const isPhrase = ({ words, begins }: Term): boolean => lexemesOf(words, begins).length > 1

/**
 * The query in a text. Words in quotes are a phrase. Of words joined by other characters (login/logout) each must match; after
 * a minus they are a phrase that must not match. A word that ends in * may go on. A text with a minus is also found as it stands in a
 * name: it may be a title that was pasted.
 */
function parsed(q: string): Query {
  const folded = normalizeText(withoutSymbols(q))
  const alternatives = alternativesIn(folded, true)
  const query = alternatives.length <= mostAlternatives ? alternatives : alternativesIn(folded, false)
  if (!query.flat().some(({ not }) => not) || isWalked(query)) return query
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

/** Whether a query asks for no word to be there, so that nothing but a walk past all rows answers it. */
export const isWalked = (query: Query): boolean => query.some((terms) => terms.every(({ not }) => not))

/** How words that follow each other stand in the words of a text with a space around each. */
export const writtenOut = ({ words, begins }: Pick<Term, 'words' | 'begins'>): string => {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return `${isUnspaced(first) ? '' : ' '}${words.join(' ')}${begins || isUnspaced(last) ? '' : ' '}`
}

/** What is looked for in a text that a query matches: all that must be there, of any alternative, each once. */
export function soughtOf(query: Query): Sought[] {
  const sought = query.flat().filter(({ not }) => !not)
  const each = new Map(sought.map(({ words, begins }) => [`${words.join(' ')} ${begins}`, { words, prefix: begins }]))
  return [...each.values()]
}
