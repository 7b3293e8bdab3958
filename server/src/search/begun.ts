import { type Sql, sql } from '../db/sql.ts'
import { numberOf } from './kind.ts'
import { mostBegun } from './posted.ts'
import { behind, cte, isMine, type Reading } from './reading.ts'

/** A query of `word`: those that begin so, as far as the caller sees them. */
export function wordsBegun(reading: Reading, starts: readonly string[], place: number): Sql {
  const start = longestOf(starts)
  return cte(reading, `begun_${place}`, wordsFrom(reading, start, place))
}

const longestOf = (words: readonly string[]) => words.toSorted((one, other) => other.length - one.length)[0] ?? ''

function wordsFrom(reading: Reading, start: string, place: number): Sql {
  const [name, end] = [sql.named(`next_${place}`), `${start}\u{10ffff}`]
  const kind = numberOf(reading.kind)
  const most = sql.literal(mostBegun)
  if (!reading.ofProjects) {
    const next = (bound: Sql) => sql`(select postings.word from postings where postings.org_id = ${reading.orgId}
        and postings.kind = ${kind} and ${bound} and postings.word < ${end} order by postings.word limit 1)`
    reading.ctes.push(sql`${name} (word) as (
        select ${next(sql`postings.word >= ${start}`)} union all
        select ${next(sql`postings.word > ${name}.word`)} from ${name} where ${name}.word is not null)`)
    return sql`select word from ${name} where word is not null limit ${most}`
  }
  // of words that are gone there may be very many: each is asked for by itself (hence offset 0)
  const isThere = sql`exists (select from postings where postings.org_id = ${reading.orgId} and postings.kind = ${kind}
      and postings.word = vocabulary.word and postings.project_id = mine.project_id offset 0)`
  return sql`select distinct known.word from mine cross join lateral (
        select distinct vocabulary.word from vocabulary where vocabulary.org_id = ${reading.orgId} and vocabulary.kind = ${kind}
          and vocabulary.project_id = mine.project_id and vocabulary.word >= ${start} and vocabulary.word < ${end}
          and ${isThere}
        order by vocabulary.word limit ${most}) known
      order by known.word limit ${most}`
}

/** Query of postings of words that begin so, in no order. */
export function nearBegun(reading: Reading, begun: Sql): Sql {
  const which = sql`postings.word = any(array(select ${begun}.word from ${begun}))`
  return sql`select postings.id, postings.project_id from postings where ${sql.all(
    sql`postings.org_id = ${reading.orgId} and postings.kind = ${numberOf(reading.kind)}`,
    which,
    reading.ofProjects && isMine(sql`postings.project_id`),
    behind(reading),
  )}`
}
