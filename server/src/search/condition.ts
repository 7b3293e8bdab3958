import { type Sql, sql } from '../db/sql.ts'
import { type Kind, tableOf } from './kind.ts'
import { isPhrase, type Query, type Term } from './query.ts'

/**
 * Condition: the query matches a row, by what the row keeps of its words.
 * @param byIndex whether an index of all words is there to find such rows
 */
export function matches(kind: Kind, query: Query, { byIndex = false } = {}): Sql {
  const exact = holds(kind, query.map(written))
  if (!kind.longTexts || !query.flat().some(isPhrase)) return exact
  const inText = query.map((terms) => sql`(${sql.all(...terms.map((term) => standsIn(kind, term)))})`)
  const either = sql`case when ${tableOf(kind)}.search_text is null then ${exact} else ${sql.join(inText, ' or ')} end`
  if (!byIndex) return either
  // the index finds rows with the words of a phrase; whether they follow each other it does not know for long texts
  const parts = query.map((terms) => terms.filter((term) => !(isPhrase(term) && term.not)))
  const loose = parts.some((terms) => terms.length === 0) ? undefined : holds(kind, parts.map(writtenLoosely))
  return sql.all(loose, either)
}

const holds = (kind: Kind, either: string[][]): Sql =>
  sql`${tableOf(kind)}.search @@ to_tsquery('simple', ${either.map((terms) => terms.join(' & ')).join(' | ')})`

// words are letters, digits and marks, none of which is special in a query or in LIKE
const written = (terms: readonly Term[]) => terms.map((term) => `${term.not ? '!' : ''}(${inOrder(term)})`)

const inOrder = ({ words, begins }: Term) =>
  words.map((word, i) => quoted(word, begins && i === words.length - 1)).join(' <-> ')

const writtenLoosely = (terms: readonly Term[]) =>
  terms.flatMap(({ words, not, begins }) =>
    words.map((word, i) => `${not ? '!' : ''}${quoted(word, begins && i === words.length - 1)}`),
  )

const quoted = (word: string, begins: boolean) => `'${word}'${begins ? ':*' : ''}`

const standsIn = (kind: Kind, { words, not, begins }: Term): Sql =>
  sql`${tableOf(kind)}.search_text ${not ? sql`not like` : sql`like`} ${`% ${words.join(' ')}${begins ? '' : ' '}%`}`
