import { type Sql, sql } from '../db/sql.ts'
import { cte, type Reading } from './reading.ts'
import { rowsOf, walked } from './rows.ts'

/** So many times as many postings as rows are wanted are read at first, and of each group so many at least. */
const [perRow, perGroup] = [12, 4]

/** Where these were too few, those since so many times the time in which as many were found as are wanted. */
const spare = 3

/** And of each group so many times as many as at first, at most. */
const further = 16

/** Lists of postings, each with the newest first. */
interface Groups {
  /** what tells these queries from others of the statement */
  name: string
  /** what has a row for each group */
  groups: Sql
  /** what is read in place of postings, under this name */
  from?: Sql
  /** how many of each group are read at first, where that is known */
  atFirst?: number
  /** condition: a posting is in the group */
  inGroup: Sql
  /** condition that is asked of few postings */
  held?: Sql | undefined
  /** condition: whether anything is read */
  when?: Sql | undefined
}

/**
 * Queries of ids, the newest of all groups. The newest postings of each group are read, and of these the ones that are newer
 * than the last of any group which may have more: those are the newest of all. Where too few of them match, all since a moment
 * that should do are read, and at last each group as far as it takes.
 */
export function nearest(reading: Reading, asked: Groups): Sql[] {
  const { name, groups, from, atFirst, when } = asked
  const { most, wanted } = reading
  const { limit } = wanted
  const each =
    atFirst !== undefined
      ? sql.literal(atFirst)
      : sql`greatest(${sql.literal(perGroup)},
    ${sql.literal(perRow)} * ${limit}::integer / greatest(1, (select count(*) from ${groups})))`
  const first = firstOf(reading, asked, 'first', each, when)
  const end = cte(reading, `end_${name}`, sql`select ${lastOf(first)} as id`)
  const until = sql`(select ${end}.id from ${end})`
  const found = foundIn(reading, asked, { name: `found_${name}`, first, last: until, when })
  const isShort = sql.all(when, sql`${until} is not null and (select count(*) from ${found}) < ${limit}`)

  const newest = sql`(select ${first}.id from ${first} order by ${first}.id desc limit 1)`
  const ms = sql`${msOf(newest)} - (${msOf(newest)} - ${msOf(until)} + 1) * ${sql.literal(spare)} * ${limit}::integer
    / greatest(1, (select count(*) from ${found}))`
  const since = cte(
    reading,
    `since_${name}`,
    sql`select (lpad(to_hex(greatest(0, ${ms})), 12, '0') || repeat('0', 20))::uuid as id where ${isShort}`,
  )
  const moment = sql`(select ${since}.id from ${since})`
  const near = sql.all(sql`postings.id >= ${moment} and postings.id < ${until}`, isShort)
  const second = firstOf(reading, asked, 'second', sql`${each} * ${sql.literal(further)}`, near)
  const secondEnd = cte(reading, `second_end_${name}`, sql`select greatest(${moment}, ${lastOf(second)}) as id`)
  const more = foundIn(reading, asked, {
    ...{ name: `more_${name}`, first: second, last: sql`(select ${secondEnd}.id from ${secondEnd})` },
    ...{ when: isShort, most, limit: sql`${limit}::integer - (select count(*) from ${found})` },
  })
  const both = [sql`select ${found}.id from ${found}`, sql`select ${more}.id from ${more}`]
  if (most !== undefined) return both
  const isStillShort = sql.all(
    isShort,
    sql`(select count(*) from ${found}) + (select count(*) from ${more}) < ${limit}`,
  )
  const surely = sql`select each.id from ${groups} cross join lateral (
    ${walked(reading, sql.all(asked.inGroup, asked.held), from)}) each where ${isStillShort}`
  return [...both, surely]
}

/** The first postings of each group; `is_last` says of one that there may be more behind it. */
function firstOf(
  reading: Reading,
  { name, groups, from = sql`postings`, inGroup }: Groups,
  what: string,
  most: Sql,
  which: Sql | undefined,
) {
  return cte(
    reading,
    `${what}_${name}`,
    sql`select first.id, first.is_last from ${groups} cross join lateral (
      select postings.id, row_number() over (order by postings.id desc) = ${most} as is_last from ${from}
      where ${sql.all(inGroup, which)} order by postings.id desc limit ${most}) first`,
  )
}

const lastOf = (first: Sql): Sql =>
  sql`(select ${first}.id from ${first} where ${first}.is_last order by ${first}.id desc limit 1)`

/** Of these the newest that match, none of them older than the last id; so many of them are looked at. */
function foundIn(
  reading: Reading,
  { held }: Groups,
  {
    name,
    first,
    last,
    when,
    most,
    limit,
  }: { name: string; first: Sql; last: Sql; when: Sql | undefined; most?: number | undefined; limit?: Sql },
): Sql {
  const ids = sql`select postings.id from (
      select distinct postings.id from ${first} postings where coalesce(postings.id >= ${last}, true)
      order by postings.id desc offset 0 ${most === undefined ? sql.empty : sql`limit ${sql.literal(most)}`}) postings
    ${held ? sql`where ${held}` : sql.empty}`
  return cte(reading, name, rowsOf(reading, ids, { when, ...(limit && { limit }) }))
}

/** SQL: the moment in an id, in ms since 1970. */
export const msOf = (id: Sql): Sql => sql`('x' || replace(left(${id}::text, 13), '-', ''))::bit(48)::bigint`
