import { lexemesOf, prefixOf } from '../db/lexemes.ts'
import { type Sql, sql } from '../db/sql.ts'
import { tsqueryOf } from './condition.ts'
import { hasLexemes, type Kind } from './kind.ts'
import type { Query } from './query.ts'

/**
 * SQL: the rank of a matching row.
 *
 * 4: the name consists of the words of the search. 3: the name contains them all.
 *
 * 2: the name contains them, at least one as a prefix. 1: the texts contain them all. 0: the texts contain one only as a prefix.
 * @param words all words of the search
 */
export function rankOf(kind: Kind, orgId: string, query: Query, words: readonly string[]): Sql {
  const begun = query.map((terms) => terms.filter(({ not }) => !not))
  const typed = begun.map((terms) => terms.map((term) => ({ ...term, begins: false })))
  const inName = { weight: 'A' }
  return sql`(case when ${isName(kind, orgId, words)} then 4
    when ${hasLexemes(kind, tsqueryOf(orgId, typed, inName))} then 3 when ${hasLexemes(kind, tsqueryOf(orgId, begun, inName))} then 2
    when ${hasLexemes(kind, tsqueryOf(orgId, typed))} then 1 else 0 end)`
}

/** SQL condition: the name consists of these words, in this order. */
function isName(kind: Kind, orgId: string, words: readonly string[]): Sql {
  const lexemes = lexemesOf(words).map(({ lexeme }) => `'${prefixOf(orgId)}${lexeme}':A`)
  const inNames = sql`select sum(cardinality(positions)) from unnest(ts_filter(${kind.table}.lexemes, '{a}'))`
  return sql`(${hasLexemes(kind, lexemes.join(' <-> '))} and (${inNames}) = ${lexemes.length})`
}
