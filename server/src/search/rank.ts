import { type Sql, sql } from '../db/sql.ts'
import { type Kind, tableOf } from './kind.ts'
import type { Query } from './query.ts'

/**
 * SQL: how well a row that matches does. 3: all words stand in its name as they were typed; 2: one of these only begins so;
 * 1: all stand in its texts as they were typed; 0: one of these only begins so.
 */
export function rankOf(kind: Kind, query: Query): Sql {
  const holds = (text: string) => sql`${tableOf(kind)}.search @@ to_tsquery('simple', ${text})`
  return sql`(case when ${holds(written(query, nameWeights, false))} then 3
    when ${holds(written(query, nameWeights, true))} then 2 when ${holds(written(query, '', false))} then 1 else 0 end)`
}

// of a name, whether postings find the thing or not
const nameWeights = 'AB'

const written = (query: Query, weights: string, mayGoOn: boolean) =>
  query
    .map((terms) => {
      const there = terms.filter(({ not }) => !not)
      return there.map(({ words, begins }) => inOrder(words, weights, mayGoOn && begins)).join(' & ')
    })
    .join(' | ')

function inOrder(words: readonly string[], weights: string, mayGoOn: boolean): string {
  const marks = (place: number) => `${mayGoOn && place === words.length - 1 ? '*' : ''}${weights}`
  return `(${words.map((word, place) => `'${word}'${marks(place) && `:${marks(place)}`}`).join(' <-> ')})`
}
