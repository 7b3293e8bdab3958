import { searched } from '../contract/fields.ts'
import { normalizeText, withoutSymbols, wordsIn } from '../db/normalize-text.ts'
import { type Sql, sql } from '../db/sql.ts'
import { tsqueryOf } from './condition.ts'
import { hasLexemes } from './kind.ts'

/** The parameter of a list that finds items by the words of their names. */
export const wordStarts = searched.optional().meta({
  description:
    'Finds names by the beginnings of their words: `an ex` finds Ann Example. Case, accents and order do not matter.',
})

/** Condition: each word of `q` is the start of a word of a name. @param table found by its name alone */
export function hasWordsOf(table: Sql, orgId: string, q: string): Sql {
  const words = wordsIn(normalizeText(withoutSymbols(q)))
  if (words.length === 0) return sql`strpos(${table}.name_key, ${normalizeText(q).trim()}) > 0`
  const starts = words.map((word) => ({ words: [word], not: false, begins: true }))
  return hasLexemes({ table }, tsqueryOf(orgId, [starts]))
}
