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
}

/** The ways through lists of ids, of which the statement takes the shortest. */
export interface ShortestWay {
  /** further queries of the statement, by which the way is chosen: `reach` and `way` */
  chosen: Sql
  /** query of rows of the table: those that match, in order */
  rows: Sql
}

/**
 * Rows whose ids stand in several lists. Where one is much shorter than the others near the position, it is walked, newest first,
 * and each of its ids looked up in the others; else they are merged. Which way it is the statement itself finds out, by how far
 * back the hundredth id of each list is, so it has one plan for all values.
 */
export function shortestWay({ lists, rest, table, orgId, bound, visible, gate, limit }: Walk): ShortestWay {
  const walked = lists.flatMap(({ walk, holds }) => (walk ? [{ ids: walk(bound), holds }] : []))
  const held = (but: readonly IdList['holds'][]) =>
    lists.flatMap(({ holds }, place) => (holds && !but.includes(holds) ? [heldBy(holds, place)] : []))
  const way = (place: number, from: Sql, but: readonly IdList['holds'][]) => sql`(
    select ${table}.* from ${from} ${sql.join(held(but), ' ')}
    cross join lateral (
      select * from ${table} where ${table}.org_id = ${orgId} and ${table}.id = listed.id offset 0) ${table}
    where ${sql.all(sql`${taken} = ${place}::integer`, gate, sql`${table}.deleted_at is null`, visible, rest)}
    order by listed.id desc limit ${limit})`
  const ways = walked.map(({ ids, holds }, place) => way(place, sql`(${ids}) listed`, [holds]))
  const [one, ...others] = walked
  if (one && others.length > 0) {
    const joined = others.map(({ ids }, i) => {
      const other = sql.named(`other${i}`)
      return sql`join (${ids}) ${other} on ${other}.id = listed.id`
    })
    // the limit, which the planner does not know, lets it expect that few are read: then it merges, and does not sort
    const merged = sql`(
      select listed.id from (${one.ids}) listed ${sql.join(joined, ' ')} order by listed.id desc limit ${endless}) listed`
    const all = walked.map(({ holds }) => holds)
    ways.push(way(walked.length, merged, all))
  }
  const lengths = walked.map(({ ids }) => ids)
  return { chosen: chosen(lengths, gate), rows: sql.join(ways, ' union all ') }
}

/** The way that is taken: by its place in the lists that are walked, or behind the last of them to merge them. */
const taken = sql`(select way.place from way)`

/** So many times as far as that of the next list must the hundredth id of one be for it to be walked. */
const farther = 32
const endless = Number.MAX_SAFE_INTEGER

function chosen(walked: readonly Sql[], gate: Sql | undefined): Sql {
  if (walked.length === 1) return sql`way as materialized (select 0 as place)`
  const among = gate ? sql`where ${gate}` : sql.empty
  const reach = walked.map((ids, place) => {
    const at = (offset: Sql) => ms(sql`(select listed.id from (${ids}) listed ${among} offset ${offset} limit 1)`)
    return sql`select ${place}::integer as place, coalesce(${at(sql`0`)} - coalesce(${at(sql`99`)}, 0), ${endless}::bigint) as ms`
  })
  return sql`
    reach as materialized (${sql.join(reach, ' union all ')}),
    way as materialized (
      select case when first.ms > ${farther} * next.ms then first.place else ${walked.length}::integer end as place
      from (select * from reach order by reach.ms desc limit 1) first,
        (select * from reach order by reach.ms desc offset 1 limit 1) next)`
}

// the time in an id
const ms = (id: Sql): Sql => sql`('x' || replace(left(${id}::text, 13), '-', ''))::bit(48)::bigint`

// offset keeps the planner from joining in another order, or from reading the other list from end to end
const heldBy = (holds: NonNullable<IdList['holds']>, place: number) =>
  sql`cross join lateral (${holds(sql`listed.id`)} offset 0) ${sql.named(`held${place}`)}`
