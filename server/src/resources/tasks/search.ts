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
  // the index finds tasks with the words of a phrase; whether they follow each other it does not know for long texts
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
 * The parsed query: alternatives (`or`), each a list of terms that must all match. Text in quotes is a phrase. Of words
 * joined by other characters (login/logout) each must match; after a minus they are a phrase that must not match.
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

// words are letters, digits and marks, none of which is special in LIKE
const standsIn = ({ words, not }: Term): Sql =>
  sql`tasks.search_text ${not ? sql`not like` : sql`like`} ${`% ${words.join(' ')} %`}`
