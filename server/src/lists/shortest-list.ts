import { type Sql, sql } from '../db/sql.ts'
import type { IdList, Listed } from './cursor-list.ts'

interface Walk extends Omit<Listed, 'rowsIn'> {
  table: Sql
  orgId: string
  /** ids are less than it */
  bound: Sql | undefined
  /** condition: the caller sees the row */
  visible: Sql
  /** condition: whether anything is looked at */
  gate?: Sql
  limit: number
  /** one list alone is walked, and `rest` tells the others of the row: what hidden rows stand in several lists is not looked at */
  alone?: boolean
}

/** The ways through lists of ids, of which the statement takes the shortest. */
interface ShortestWay {
  /** further queries of the statement, by which the way is chosen: `reach` and `way` */
  chosen: Sql
  /** query of rows of the table: those that match, in order */
  rows: Sql
}

/**
 * Rows whose ids stand in several lists. All are read from where the last of them begins. Where one is much shorter than the others
 * near there, it is walked, newest first, and each of its ids looked up in the others; else they are merged. Which way it is the
 * statement itself finds out, by how far back the hundredth id of each list is, so it has one plan for all values.
 * @param lists those that may be longest first
 */
export function shortestWay(wanted: Walk): ShortestWay {
  const { lists, rest, table, orgId, bound, visible, gate, limit, alone = false } = wanted
  const behind = bound && ((id: Sql) => sql`${id} < ${bound}`)
  const walks = lists.flatMap(({ walk, holds }) => (walk ? [{ walk, holds }] : []))
  const from = walks.length > 1 ? atStart : behind
  const walked = walks.map(({ walk, holds }) => ({ ids: walk(from), holds }))
  const held = (but: readonly IdList['holds'][]) =>
    lists.flatMap(({ holds }, place) => (holds && !alone && !but.includes(holds) ? [heldBy(holds, place)] : []))
  const way = (place: number, from: Sql, but: readonly IdList['holds'][]) => sql`(
    select ${table}.* from ${from} ${sql.join(held(but), ' ')}
    cross join lateral (
      select * from ${table} where ${table}.org_id = ${orgId} and ${table}.id = listed.id offset 0) ${table}
    where ${sql.all(sql`${taken} = ${place}::integer`, gate, sql`${table}.deleted_at is null`, visible, rest)}
    order by listed.id desc limit ${limit})`
  const ways = walked.map(({ ids, holds }, place) => way(place, sql`(${ids}) listed`, [holds]))
  const [one, ...others] = walked
  if (one && others.length > 0 && !alone) {
    const joined = others.map(({ ids }, i) => {
      const other = sql.named(`other${i}`)
      return sql`join (${seemingLong(ids, table, orgId)}) ${other} on ${other}.id = listed.id`
    })
    // the limit, which the planner does not know, lets it expect that few are read: then it merges, and does not sort
    const merged = sql`(
      select listed.id from (${one.ids}) listed ${sql.join(joined, ' ')} order by listed.id desc limit ${endless}) listed`
    const all = walked.map(({ holds }) => holds)
    ways.push(way(walked.length, merged, all))
  }
  const newest = walks.map(({ walk }) => first(walk(behind), gate))
  const further = walked.map(({ ids }) => first(ids, gate, sql`offset 99`))
  return {
    chosen: chosen(newest, further, alone),
    rows: sql`select * from (${sql.join(ways, ' union all ')}) ${table} limit ${mostOfPage}`,
  }
}

/** Condition: the id is not newer than all those of a list. */
const atStart = (id: Sql) => sql`${id} <= (select start.id from start)`

/**
 * The same list. Where the planner expects two lists of an id or two, it reads one of them again for each id of the other, so it is
 * let expect more, which are never read.
 */
const seemingLong = (ids: Sql, table: Sql, orgId: string): Sql => sql`
  select distinct either.id from ((${ids}) union all (
    select ${table}.id from ${table} cross join generate_series(1, 100)
    where ${table}.org_id = ${orgId} and ${taken} < 0 order by ${table}.id desc limit 100)) either
  order by either.id desc`

/** The way that is taken: by its place in the lists that are walked, or behind the last of them to merge them. */
const taken = sql`(select way.place from way)`

/** So many times as far as that of the next list must the hundredth id of one be for it to be walked. */
const farther = 32
const endless = Number.MAX_SAFE_INTEGER

// a limit that is a parameter is a tenth of all rows to the planner
const mostOfPage = sql.literal(101)

const first = (ids: Sql, gate: Sql | undefined, offset = sql.empty): Sql =>
  sql`(select listed.id from (${ids}) listed ${gate ? sql`where ${gate}` : sql.empty} ${offset} limit 1)`

/**
 * Queries by which the way is chosen.
 * @param newest of each list the first id
 * @param further of each list the hundredth id from the start
 */
function chosen(newest: readonly Sql[], further: readonly Sql[], alone: boolean): Sql {
  if (further.length === 1) return sql`way as materialized (select 0 as place)`
  const between = sql`case when first.ms > ${farther} * next.ms then first.place else ${further.length}::integer end`
  const reach = further.map((id, place) => sql`select ${place}::integer as place, coalesce(${ms(id)}, 0) as until`)
  return sql`
    start as materialized (select least(${sql.join(newest, ', ')}) as id),
    reach as materialized (
      select far.place, coalesce(${ms(sql`start.id`)} - far.until, ${endless}::bigint) as ms
      from start, (${sql.join(reach, ' union all ')}) far),
    way as materialized (
      select ${alone ? sql`first.place` : between} as place
      from (select * from reach order by reach.ms desc limit 1) first,
        (select * from reach order by reach.ms desc offset 1 limit 1) next)`
}

// the time in an id
const ms = (id: Sql): Sql => sql`('x' || replace(left(${id}::text, 13), '-', ''))::bit(48)::bigint`

// offset keeps the planner from joining in another order, or from reading the other list from end to end
const heldBy = (holds: NonNullable<IdList['holds']>, place: number) =>
  sql`cross join lateral (${holds(sql`listed.id`)} offset 0) ${sql.named(`held${place}`)}`
