import { lexemesOf, prefixOf } from '../db/lexemes.ts'
import { type Sql, sql } from '../db/sql.ts'
import { hasLexemes, type Kind } from './kind.ts'
import { isPhrase, phraseText, type Query, type Term } from './query.ts'

/** Condition: the query matches a row. */
export function matches(kind: Kind, orgId: string, query: Query): Sql {
  const byWords = hasWords(
    kind,
    orgId,
    query.filter((terms) => !terms.some(isPasted)),
  )
  const pasted = query.flat().find(isPasted)
  if (pasted === undefined || kind.name === undefined) return byWords
  const isThere = sql`strpos(lower(${kind.name}), lower(${pasted.inName})) > 0`
  return sql`(${byWords} or (${hasLexemes(kind, tsqueryOf(orgId, [[pasted]]))} and ${isThere}))`
}

const isPasted = ({ inName }: Term) => inName !== undefined

function hasWords(kind: Kind, orgId: string, query: Query): Sql {
  const exact = hasLexemes(kind, tsqueryOf(orgId, query))
  if (!kind.mayBeLong || !query.flat().some(isPhrase)) return exact
  // a very long text has no positions of its words, so the index only finds rows with all words of a phrase
  const loose = query.map((terms) => terms.filter((term) => !(isPhrase(term) && term.not)))
  const inText = query.map((terms) => sql`(${sql.all(...terms.map((term) => standsIn(kind, orgId, term)))})`)
  return sql.all(
    loose.every((terms) => terms.length > 0) && hasLexemes(kind, tsqueryOf(orgId, loose, { inAnyOrder: true })),
    sql`case when ${kind.table}.long_text is null then ${exact} else ${sql.join(inText, ' or ')} end`,
  )
}

interface QueryTextOptions {
  /** whether the words of a phrase may be anywhere */
  inAnyOrder?: boolean
  /** the weight that all lexemes must have */
  weight?: string
}

/** The text of a tsquery. Words contain only letters, digits and marks, so nothing needs escaping. */
export function tsqueryOf(
  orgId: string,
  query: Query,
  { inAnyOrder = false, weight = '' }: QueryTextOptions = {},
): string {
  const prefix = prefixOf(orgId)
  const written = ({ words, not, begins, inName }: Term) => {
    const lexemes = lexemesOf(words, begins).map(({ lexeme, begins }) => {
      const marks = `${begins ? '*' : ''}${inName === undefined ? weight : 'A'}`
      return `'${prefix}${lexeme}'${marks && `:${marks}`}`
    })
    return `${not ? '!' : ''}(${lexemes.join(inAnyOrder ? ' & ' : ' <-> ')})`
  }
  return query.map((terms) => terms.map(written).join(' & ')).join(' | ')
}

const standsIn = (kind: Kind, orgId: string, term: Term): Sql =>
  isPhrase(term)
    ? sql`${kind.table}.long_text ${term.not ? sql`not like` : sql`like`} ${`%${phraseText(term)}%`}`
    : hasLexemes(kind, tsqueryOf(orgId, [[term]]))
