import { longText, normalizeText, searchWords, wordsIn } from '../../db/normalize-text.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { keyForm } from '../task.ts'

/** Condition: what is searched for is found in the task, or is its key. */
export function searchedFor(q: string): Sql {
  const key = q.toUpperCase()
  return keyForm.test(key) ? sql`(${found(q)} or tasks.key = ${key})` : found(q)
}

function found(q: string): Sql {
  const either = asked(q)
  const exact = matches(either.map(written))
  if (!either.flat().some(isPhrase)) return exact
  // by its words an index finds what may hold a phrase; of a long text not all places are kept there
  const parts = either.map((terms) => terms.filter((term) => !(isPhrase(term) && term.not)))
  const loose = parts.some((terms) => terms.length === 0) ? undefined : matches(parts.map(writtenLoosely))
  const inText = either.map((terms) => sql`(${sql.all(...terms.map(standsIn))})`)
  return sql.all(loose, sql`case when tasks.search_text is null then ${exact} else ${sql.join(inText, ' or ')} end`)
}

/** What a task is found by, as it is stored. */
export function searchable(task: Parameters<typeof searchWords>[0]): { search: Sql; searchText: string | null } {
  const words = searchWords(task)
  return { search: sql`to_tsvector('simple', ${words})`, searchText: longText(words) }
}

interface Term {
  /** one that must be there, or all in this order */
  words: string[]
  not: boolean
}

const isPhrase = ({ words }: Term) => words.length > 1

/**
 * What is searched for: one of several lists of terms, of which all must hold. What stands in quotes is a phrase; of words
 * with something else between them (login/logout) each must be there, after a minus they may not follow each other.
 */
function asked(q: string): Term[][] {
  const either: Term[][] = [[]]
  for (const { groups } of normalizeText(q).matchAll(/(?<minus>-*)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu)) {
    const { minus, phrase, word } = groups ?? {}
    const words = wordsIn(phrase ?? word ?? '')
    if (words.length === 0) continue
    const last = either.at(-1) ?? []
    if (word === 'or' && minus === '' && last.length > 0) either.push([])
    else if (minus || phrase !== undefined) last.push({ words, not: Boolean(minus) })
    else last.push(...words.map((one) => ({ words: [one], not: false })))
  }
  return either.filter((terms) => terms.length > 0)
}

const matches = (either: string[][]): Sql =>
  sql`tasks.search @@ websearch_to_tsquery('simple', ${either.map((terms) => terms.join(' ')).join(' or ')})`

const written = (terms: readonly Term[]) => terms.map(({ words, not }) => `${not ? '-' : ''}"${words.join(' ')}"`)

const writtenLoosely = (terms: readonly Term[]) =>
  terms.flatMap(({ words, not }) => words.map((word) => `${not ? '-' : ''}"${word}"`))

// words are letters, digits and marks, of which none means anything to LIKE
const standsIn = ({ words, not }: Term): Sql =>
  sql`tasks.search_text ${not ? sql`not like` : sql`like`} ${`% ${words.join(' ')} %`}`
