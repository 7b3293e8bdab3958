import { lexemesOf, prefixOf } from '../db/lexemes.ts'
import { type Sql, sql } from '../db/sql.ts'
import { tsqueryOf } from './condition.ts'
import { has, type Kind } from './kind.ts'
import type { Query } from './query.ts'

/**
 * SQL: how well a row that matches does. 4: its name consists of the words that were typed; 3: all of these stand in its name; 2: one
 * of them only begins so; 1: all stand in its texts as they were typed; 0: one of these only begins so.
 * @param words all that was typed
 */
export function rankOf(kind: Kind, orgId: string, query: Query, words: readonly string[]): Sql {
  const begun = query.map((terms) => terms.filter(({ not }) => !not))
  const typed = begun.map((terms) => terms.map((term) => ({ ...term, begins: false })))
  const inName = { weight: 'A' }
  return sql`(case when ${isName(kind, orgId, words)} then 4
    when ${has(kind, tsqueryOf(orgId, typed, inName))} then 3 when ${has(kind, tsqueryOf(orgId, begun, inName))} then 2
    when ${has(kind, tsqueryOf(orgId, typed))} then 1 else 0 end)`
}

/** SQL condition: the name consists of these words, in this order. */
function isName(kind: Kind, orgId: string, words: readonly string[]): Sql {
  const lexemes = lexemesOf(words).map(({ lexeme }) => `'${prefixOf(orgId)}${lexeme}':A`)
  const inNames = sql`select sum(cardinality(positions)) from unnest(ts_filter(${kind.table}.lexemes, '{a}'))`
  return sql`(${has(kind, lexemes.join(' <-> '))} and (${inNames}) = ${lexemes.length})`
}
