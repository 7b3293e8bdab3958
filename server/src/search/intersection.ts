import { type Sql, sql } from '../db/sql.ts'
import { msOf } from './nearest.ts'
import { behind, between, cte, type Reading } from './reading.ts'
import { walked } from './rows.ts'

/** A list is walked, and each of it looked up in the others, where one of these is so many times as dense; else they are merged. */
const denser = 16

/** Of more words, lists are never merged: PostgreSQL looks for the best order of so many joins for longer than it joins. */
const mostMerged = 6

const endless = Number.MAX_SAFE_INTEGER

/**
 * Queries of ids, the things that have all these words. The postings of everybody, newest first: one list is walked, or all
 * are merged.
 */
export function intersection(reading: Reading, all: readonly string[], place: string, when?: Sql): Sql[] {
  const [first = '', ...others] = all
  if (others.length === 0)
    return [walked(reading, sql.all(reading.posted.newestOf(sql`${first}`), behind(reading), when))]
  if (all.length > mostMerged) {
    const least = seldomestOfAll(reading, all, place)
    const which = [reading.posted.newestOf(least), behind(reading), reading.posted.withAll(all, least), when]
    return [walked(reading, sql.all(...which))]
  }
  const reach = cte(reading, `reach_${place}`, reading.posted.seldomest(all, behind(reading)))
  const turn = cte(
    reading,
    `turn_${place}`,
    sql`select (array_agg(${reach}.word))[1] as word, ${areAlike(reach)} as merges from ${reach} ${when ? sql`where ${when}` : sql.empty}`,
  )
  const is = (what: Sql) => sql`(select ${what} from ${turn})`
  const word = is(sql`${turn}.word`)
  const which = sql.all(
    reading.posted.newestOf(word),
    behind(reading),
    reading.posted.withAll(all, word),
    is(sql`not ${turn}.merges`),
    when,
  )
  const list = (one: string, name: Sql) =>
    sql.all(reading.posted.newestOf(sql`${one}`, name), between(reading, sql`${name}.id`))
  const joined = others.map((word, i) => {
    const name = sql.named(`other${i}`)
    return sql`join postings ${name} on ${name}.id = postings.id and ${list(word, name)}`
  })
  // the limit, which the planner does not know, lets it expect that few are read: then it merges, and does not sort
  const merged = sql`(select postings.id from postings ${sql.join(joined, ' ')} where ${list(first, sql`postings`)}
      order by postings.id desc limit ${endless}) postings`
  return [walked(reading, which), walked(reading, sql.all(is(sql`${turn}.merges`), when), merged)]
}

/** SQL of an aggregate: whether no list is much denser than another. */
function areAlike(reach: Sql): Sql {
  const span = sql`(${msOf(sql`${reach}.newest`)} - ${msOf(sql`${reach}.last`)})`
  return sql`coalesce(
      bool_and(${reach}.last is not null) and max(${span}) < ${sql.literal(denser)} * min(${span}), false)`
}

/** SQL: the word that is the least common of some, near the position of the page. */
export function seldomest(reading: Reading, words: readonly string[], place: string | number): Sql {
  if (!reading.ofProjects) return seldomestOfAll(reading, words, place)
  const least = cte(reading, `least_${place}`, reading.posted.seldomestOfMine(words))
  return sql`(select ${least}.word from ${least} limit 1)`
}

function seldomestOfAll(reading: Reading, words: readonly string[], place: string | number): Sql {
  const reach = cte(reading, `reach_${place}`, reading.posted.seldomest(words, behind(reading)))
  return sql`(select ${reach}.word from ${reach} limit 1)`
}
