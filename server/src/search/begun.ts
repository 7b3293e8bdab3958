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
  return sql`select word from (${livingInMine(reading, start, place)}) living`
}

/** So many words that begin so are read in each project at first: those that are gone may be among them. */
const mostKnown = mostBegun + 10

/**
 * Query of `word`: the first words that begin so and are in something in `mine`. Most words are in many of its projects, so what the
 * vocabulary of each begins with is put together first, and each word then looked for until it is there. Where too many are gone
 * to tell the first ones so, each is looked for in each project.
 */
function livingInMine(reading: Reading, start: string, place: number): Sql {
  const [most, end] = [sql.literal(mostKnown), `${start}\u{10ffff}`]
  const ofKind = (table: Sql) => sql`${table}.org_id = ${reading.orgId} and ${table}.kind = ${numberOf(reading.kind)}`
  const begins = sql`${ofKind(sql`vocabulary`)} and vocabulary.project_id = mine.project_id
    and vocabulary.word >= ${start} and vocabulary.word < ${end}`
  const isThere = (word: Sql, projectId: Sql) => sql`exists (select from postings where ${ofKind(sql`postings`)}
    and postings.word = ${word} and postings.project_id = ${projectId} offset 0)`
  const known = cte(
    reading,
    `known_${place}`,
    sql`select mine.project_id, first.word from mine cross join lateral (
      select vocabulary.word from vocabulary where ${begins} order by vocabulary.word limit ${most}) first`,
  )
  const until = cte(
    reading,
    `until_${place}`,
    sql`select min(cut.word) as word from (
      select max(${known}.word) as word from ${known} group by ${known}.project_id having count(*) = ${most}) cut`,
  )
  const last = sql`(select ${until}.word from ${until})`
  const living = cte(
    reading,
    `living_${place}`,
    sql`select known.word from (
        select ${known}.word, array_agg(${known}.project_id) as projects from ${known} group by ${known}.word
        order by ${known}.word offset 0) known
      where coalesce(known.word <= ${last}, true) and exists (
        select from unnest(known.projects) its (project_id) where ${isThere(sql`known.word`, sql`its.project_id`)})
      limit ${sql.literal(mostBegun)}`,
  )
  const areFirst = sql`(${last} is null or (select count(*) from ${living}) = ${sql.literal(mostBegun)})`
  return sql`select word from ${living} where ${areFirst} union all (
    select distinct each.word from mine cross join lateral (
        select distinct vocabulary.word from vocabulary where ${begins} and ${isThere(sql`vocabulary.word`, sql`mine.project_id`)}
        order by vocabulary.word limit ${sql.literal(mostBegun)}) each
      where not ${areFirst} order by each.word limit ${sql.literal(mostBegun)})`
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
