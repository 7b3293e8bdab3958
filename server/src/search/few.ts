import type { Caller } from '../access/caller.ts'
import { type Sql, sql } from '../db/sql.ts'
import { wordsBegun } from './begun.ts'
import { seldomest } from './intersection.ts'
import { type Kind, tableOf } from './kind.ts'
import { type Query, wordsOf } from './query.ts'
import { isMine, readingOf, type Wanted, withCtes } from './reading.ts'
import { isUnposted } from './rows.ts'

/** So many things that match are looked up one by one, in whatever order and with whatever filters. */
const mostLookedUp = 4_000

/**
 * Query of one array of ids: of all things that the caller may see and that may match, where these are few; else null. For a
 * list with other filters or in another order. @see matches, which tells of each whether it does
 */
export function idsOfFew(
  kind: Kind,
  caller: Caller,
  query: Query,
  { within, also }: Pick<Wanted, 'within' | 'also'>,
): Sql {
  const reading = readingOf(kind, caller, query, { limit: 0, within, also })
  const { posted, ofProjects } = reading
  const [table, most] = [tableOf(kind), sql.literal(mostLookedUp + 1)]
  const streams = query.map((terms, place) => {
    const { whole, beginning } = wordsOf(terms)
    const [first] = whole
    const word =
      first === undefined
        ? sql`any(array(select word from ${wordsBegun(reading, beginning, place)}))`
        : whole.length === 1
          ? sql`${first}::text`
          : seldomest(reading, whole, place)
    const which = posted.of(word)
    // in the order of an index: in none, a table would be read from its beginning for a word that seems to be everywhere in it
    const newest = sql`select postings.id from postings where ${posted.newestOf(word)} order by postings.id desc`
    const near =
      first === undefined
        ? sql`select postings.id from postings where ${sql.all(which, ofProjects && isMine(sql`postings.project_id`))}`
        : ofProjects
          ? posted.inEachOfMine(which, most)
          : newest
    // so many are read, and what they are is asked of no more
    return sql`select postings.id from (${near} limit ${most}) postings`
  })
  streams.push(sql`select ${table}.id from ${table} where ${isUnposted(reading)} limit ${most}`)
  if (also) streams.push(also)
  const all = sql.join(
    streams.map((stream) => sql`(${stream})`),
    ' union all ',
  )
  return sql`${withCtes(reading)} select coalesce(array_agg(those.id), '{}') from (select found.id from (${all}) found limit ${most}) those
      having count(*) < ${most}`
}
