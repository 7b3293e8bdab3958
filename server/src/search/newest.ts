import type { Caller } from '../access/caller.ts'
import { inDeletedProject, projectsOf } from '../access/visibility.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Kind } from './kind.ts'

interface NewestQuery {
  /** condition: the row matches, independent of the caller */
  matching: Sql
  /** the projects to which the search is limited */
  within?: readonly string[] | undefined
  limit: number
  /** condition of all rows: the start of the page */
  behind?: Sql | undefined
  /** how many of the newest rows to check one by one; then there is no second walk */
  walk?: number
}

/** The newest rows to check one by one. If one of forty rows matches, they fill a page, in a few milliseconds. */
const nearRows = 2_000

/** If the first rows hold a quarter of a page, and ten rows, these should fill it: 8 ms, where all matches took 190 ms. */
const furtherRows = 6_000

/** For a caller in at most this many projects, all their rows may be read. With more, each matching row is looked up. */
const fewProjects = 32

/**
 * Query of `id`: the newest rows that match and that the caller sees. It checks the newest rows one by one, and further rows if
 * some of the first match. If too few match, the words are rare, and the planner chooses an index without regard to the order.
 * If the planner could choose the walk, it might walk through a whole organization for a word that only old rows have. It does
 * not know the number of the caller's projects either: for many projects it would read all their rows beside the words.
 * @see bench/README.md for the times
 */
export function newestFound(kind: Kind, caller: Caller, wanted: NewestQuery): Sql {
  const { table, projectId } = kind
  const { matching, within, limit, behind, walk } = wanted
  const projects = projectsOf(caller, within)
  const there = sql.all(
    sql`${table}.org_id = ${caller.orgId} and ${table}.deleted_at is null`,
    behind,
    // if the caller sees none of the projects, no row is read
    projects && sql`exists (select from mine)`,
  )
  const ofMine = sql`select mine.project_id from mine`
  const seen = projects ? sql`(${projectId} in (${ofMine})) is true` : seenBy(caller, kind)
  const indexed = (...conditions: Sql[]) => sql`
    union all (select indexed.id from (
      select ${table}.id from ${table}
      where ${sql.all(there, matching, ...conditions)} and (select count(*) from walked) < ${limit} offset 0) indexed
    order by indexed.id desc limit ${limit})`
  const areFew = sql`(select count(*) from mine) <= ${sql.literal(fewProjects)}`
  const walkedOver = (rows: Sql, condition = sql`true`) => sql`
    select ${table}.id from (
      select * from ${table} where ${there} and ${condition} order by ${table}.id desc ${rows}) ${table}
    where ${matching} and ${seen} order by ${table}.id desc limit ${limit}`
  const isNearlyFull = sql`(select count(*) from near) between greatest(10, ${limit}::integer / 4) and ${limit}::integer - 1`
  const further = sql`offset ${sql.literal(nearRows)} limit ${sql.literal(furtherRows)}`
  return sql.customPlan(sql`
    with ${projects ? sql`mine as materialized (${projects}),` : sql.empty}
    near as materialized (${walkedOver(sql`limit ${sql.literal(walk ?? nearRows)}`)}),
    walked as materialized (
      select near.id from near ${walk === undefined ? sql`union all (${walkedOver(further, isNearlyFull)})` : sql.empty})
    (select walked.id from walked where (select count(*) from walked) >= ${limit} order by walked.id desc limit ${limit})
    ${indexed(seen, ...(projects ? [sql`not ${areFew}`] : []))}
    ${projects ? indexed(sql`${projectId} = any(array(${ofMine}))`, areFew) : sql.empty}`)
}

/** Condition: the caller sees the row, and it is in one of the projects of a filter if it names some. */
export function seenBy(caller: Caller, { table, projectId, isProject }: Kind, within?: readonly string[]): Sql {
  const projects = projectsOf(caller, within)
  if (projects) return sql`(${projectId} in (${projects})) is true`
  return isProject ? sql`true` : sql`${inDeletedProject(caller.orgId, table)} is not true`
}
