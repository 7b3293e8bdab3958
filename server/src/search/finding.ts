import type { Caller } from '../access/caller.ts'
import { type Sql, sql } from '../db/sql.ts'
import { nearBegun, wordsBegun } from './begun.ts'
import { intersection, seldomest } from './intersection.ts'
import type { Kind } from './kind.ts'
import { nearest } from './nearest.ts'
import { mostBegun } from './posted.ts'
import { type Query, type Term, wordsOf } from './query.ts'
import { behind, cte, type Reading, readingOf, type Wanted, withCtes } from './reading.ts'
import { rowsOf, unposted, walked } from './rows.ts'

/** So many postings that somebody of many projects may see are read and put in order; of more, the newest are looked for. */
const fewPostings = 1_000

/** So many of words that begin so in few projects: the newest of each word in each of these are as many look-ups. */
const fewBegun = 4_000

/** The newest postings of each of so many projects are merged; with more, those of all are walked. */
const fewLists = 64

/** So many with the words that are whole are looked at for those that may go on, before it is asked in how many these are. */
const mostAtFirst = 2_000

/**
 * Query of `id`: the things of a kind that match, newest first, for what the caller sees. A query that asks for no word to be there
 * (`isWalked`) is not for this: nothing but a walk past all rows answers it.
 *
 * - Who sees all: the postings of the word are walked newest first; of several words, those of the least common, or those of
 *   all are merged.
 * - Who sees some projects: the newest postings of each are merged. No others are looked at, so the time of an answer tells
 *   nothing of them. Of many projects up to 1,000 postings are read and put in order; where there are more, the postings of
 *   all are walked.
 * - Who names one project, whoever that is: its postings are walked newest first.
 * - Texts without postings: by an index of these few.
 */
export function idsFound(kind: Kind, caller: Caller, query: Query, wanted: Wanted): Sql {
  const reading = readingOf(kind, caller, query, wanted)
  const { limit } = wanted
  const posted = query.flatMap((terms, i) => streamsOf(reading, terms, i))
  const streams = [unposted(reading)]
  if (wanted.also) streams.push(rowsOf(reading, wanted.also, { matching: false }))
  // what postings find must fill the page: else what comes behind the last of them may be older than what they left out
  const filled = wanted.besides ? cte(reading, 'filled', union(posted)) : undefined
  const found = filled
    ? sql`select every.id from (${union([sql`select id from ${filled}`, ...streams])}) every
          where (select count(*) from ${filled}) >= ${limit}`
    : union([...posted, ...streams])
  return sql`${withCtes(reading)} select found.id from (${found}) found order by found.id desc limit ${limit}`
}

/** Whether a query asks for no word to be there, so that nothing but a walk past all rows answers it. */
export const isWalked = (query: Query): boolean => query.some((terms) => terms.every(({ not }) => not))

/** The rows of some queries, each once. */
const union = (streams: readonly Sql[]): Sql =>
  sql.join(
    streams.map((stream) => sql`(${stream})`),
    ' union ',
  )

/** Queries of ids, each of the newest ones at least. */
function streamsOf(reading: Reading, terms: readonly Term[], place: number): Sql[] {
  const { whole, beginning } = wordsOf(terms)
  if (whole.length === 0) return byBegun(reading, wordsBegun(reading, beginning, place), place)
  if (beginning.length === 0 || reading.most !== undefined) return byWords(reading, whole, `${place}`)
  return byWordsOrBegun(reading, whole, wordsBegun(reading, beginning, place), place)
}

/**
 * By the words that are whole: near the position at first. Where too few match, by those that begin so, if all of these are
 * known and are in few things.
 */
function byWordsOrBegun(reading: Reading, whole: readonly string[], begun: Sql, place: number): Sql[] {
  const early = cte(reading, `early_${place}`, union(byWords({ ...reading, most: mostAtFirst }, whole, `${place}`)))
  const isShort = sql`(select count(*) from ${early}) < ${reading.wanted.limit}`
  const few = cte(
    reading,
    `few_${place}`,
    sql`select near.id from (${nearBegun(reading, begun)}) near where ${isShort} limit ${sql.literal(fewPostings + 1)}`,
  )
  const knowsAll = sql`(select count(*) from ${begun}) < ${sql.literal(mostBegun)}`
  const areFew = sql`${knowsAll} and (select count(*) from ${few}) <= ${sql.literal(fewPostings)}`
  const found = sql`select postings.id from (select distinct id from ${few} order by id desc offset 0) postings
      where ${reading.posted.withAll(whole)}`
  return [
    sql`select ${early}.id from ${early}`,
    rowsOf(reading, found, { when: sql`${isShort} and ${areFew}` }),
    ...byWords(reading, whole, `${place}_then`, sql`${isShort} and not (${areFew})`),
  ]
}

function byWords(reading: Reading, all: readonly string[], place: string, when?: Sql): Sql[] {
  if (!reading.ofProjects) return intersection(reading, all, place, when)
  if (reading.wanted.within?.length === 1) return [inTheOne(reading, all, place, when)]
  const { read, merged, walks } = foundInMine(reading, all, { place, when })
  return [...merged(), read, ...intersection(reading, all, place, walks)]
}

/** Query of ids, in the one project that is named: the primary key has its postings of a word in order. One that is not seen is null, and nothing is read. */
function inTheOne(reading: Reading, all: readonly string[], place: string, when?: Sql): Sql {
  const [first = '', ...others] = all
  const word = others.length > 0 ? seldomest(reading, all, place) : sql`${first}::text`
  const which = sql.all(
    sql`${reading.posted.of(word)} and postings.project_id = (select mine.project_id from mine)`,
    behind(reading),
    others.length > 0 && reading.posted.withAll(all, word),
    when,
  )
  return walked(reading, which)
}

/** What finds the things that have all these words in the projects that the caller sees, and when it does. */
interface InMine {
  /** query of ids: where there are so few postings that all are looked up */
  read: Sql
  /** condition: there are more, in few projects */
  merges: Sql
  /** queries of ids: the newest, by those of each project, where that holds */
  merged: () => Sql[]
  /** condition: there are more, in many projects, so that the postings of all may be walked */
  walks: Sql
}

/** @param fewFirst whether few postings are looked up in few projects too, before it is asked how many these are */
export function foundInMine(
  reading: Reading,
  all: readonly string[],
  { place, when, fewFirst = false }: { place: string; when?: Sql | undefined; fewFirst?: boolean },
): InMine {
  const [first = ''] = all
  const several = all.length > 1
  const word = several ? seldomest(reading, all, place) : sql`${first}::text`
  const held = several ? reading.posted.withAll(all, word) : undefined
  const which = sql.all(reading.posted.of(word), behind(reading))
  const near = reading.posted.inEachOfMine(which, sql.literal(fewPostings + 1))
  const scope = scopeOf(reading, place, { near, groups: fewFirst ? undefined : sql`mine`, when })
  const inGroup = sql`${which} and postings.project_id = mine.project_id`
  return {
    read: rowsOf(
      reading,
      sql`select postings.id from (select distinct id from ${scope.near} order by id desc offset 0) postings
        ${held ? sql`where ${held}` : sql.empty}`,
      { when: scope.reads },
    ),
    merges: scope.merges,
    merged: () => nearest(reading, { name: place, groups: sql`mine`, inGroup, held, when: scope.merges }),
    walks: scope.walks,
  }
}

function byBegun(reading: Reading, begun: Sql, place: number): Sql[] {
  const word = sql`${begun}.word`
  const newest = sql.all(reading.posted.newestOf(word), behind(reading))
  if (!reading.ofProjects) return nearest(reading, { name: `${place}`, groups: begun, inGroup: newest })
  const groups = sql`${begun} cross join mine`
  const scope = scopeOf(reading, `${place}`, { near: nearBegun(reading, begun), groups, fewInFew: fewBegun })
  const inGroup = sql`${sql.all(reading.posted.of(word), behind(reading))} and postings.project_id = mine.project_id`
  return [
    ...nearest(reading, { name: `${place}`, groups, inGroup, when: scope.merges }),
    rowsOf(reading, sql`select distinct id from ${scope.near} order by id desc offset 0`, { when: scope.reads }),
    ...nearest(reading, { name: `${place}_all`, groups: begun, inGroup: newest, when: scope.walks }),
  ]
}

interface Scope {
  /** query of postings that the caller sees */
  near: Sql
  /** lists of postings of which the newest are merged at once where there are few; absent where it is asked first how many postings there are */
  groups: Sql | undefined
  /** so many postings are few in few projects, where it is more than in many */
  fewInFew?: number
  when?: Sql | undefined
}

/** What is looked at for who sees some projects: conditions of which one holds. */
function scopeOf(reading: Reading, place: string, { near, groups, fewInFew = fewPostings, when }: Scope) {
  const areFew = (what: Sql) =>
    sql`(select count(*) from (select from ${what} limit ${sql.literal(fewLists + 1)}) those) <= ${sql.literal(fewLists)}`
  const few =
    fewInFew === fewPostings
      ? sql.literal(fewPostings)
      : sql`(case when ${areFew(sql`mine`)} then ${sql.literal(fewInFew)} else ${sql.literal(fewPostings)} end)`
  const name = cte(reading, `near_${place}`, sql`${near} limit ${few} + 1`)
  const turn = cte(
    reading,
    `scope_${place}`,
    sql`
      select case ${groups ? sql`when ${areFew(groups)} then 1` : sql.empty}
        when (select count(*) from ${name}) <= ${few} then 2 when ${areFew(sql`mine`)} then 1 else 3 end as way`,
  )
  const is = (way: number) => sql.all(when, sql`(select ${turn}.way from ${turn}) = ${sql.literal(way)}`)
  return { near: name, merges: is(1), reads: is(2), walks: is(3) }
}
