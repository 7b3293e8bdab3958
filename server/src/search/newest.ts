import type { Caller } from '../access/caller.ts'
import { inDeletedProject, projectsOf } from '../access/visibility.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Kind } from './kind.ts'

/** The rows that a caller looks for. */
interface Wanted {
  /** condition: the row matches, whoever sees it */
  matching: Sql
  /** the projects to which the search is confined */
  within?: readonly string[] | undefined
  limit: number
  /** condition of all rows: where the page begins */
  behind?: Sql | undefined
  /** how many of the newest rows are looked at one by one */
  walk?: number
}

/** A word in one of forty rows fills a page so, in a few milliseconds. */
const usualWalk = 2_000

/** Who is in no more projects than these may have them read. More are looked up for each row that matches. */
const fewProjects = 32

/**
 * Query of `id`: the newest rows that match and that the caller sees. The newest rows of all are looked at first, one by one. Where these
 * are too few, the words are not common, and the planner chooses an index without regard to the order. Were it to choose between the two,
 * a word that it believes to be common could make it walk through all rows of an organization. Nor does it know how many projects the
 * caller is in: for many it would read them all beside the words. @see bench/README.md for what this takes
 */
export function newestFound(kind: Kind, caller: Caller, wanted: Wanted): Sql {
  const { table, projectId } = kind
  const { matching, within, limit, behind, walk = usualWalk } = wanted
  const projects = projectsOf(caller, within)
  const there = sql.all(
    sql`${table}.org_id = ${caller.orgId} and ${table}.deleted_at is null`,
    behind,
    // for a caller who sees none of the projects no row is looked at
    projects && sql`exists (select from mine)`,
  )
  const ofMine = sql`select mine.project_id from mine`
  const seen = projects ? sql`(${projectId} in (${ofMine})) is true` : seenBy(caller, kind)
  const indexed = (...conditions: Sql[]) => sql`
    union all (select indexed.id from (
      select ${table}.id from ${table}
      where ${sql.all(there, matching, ...conditions)} and (select count(*) from near) < ${limit} offset 0) indexed
    order by indexed.id desc limit ${limit})`
  const areFew = sql`(select count(*) from mine) <= ${sql.literal(fewProjects)}`
  return sql.customPlan(sql`
    with ${projects ? sql`mine as materialized (${projects}),` : sql.empty} near as materialized (
      select ${table}.id from (
        select * from ${table} where ${there} order by ${table}.id desc limit ${sql.literal(walk)}) ${table}
      where ${matching} and ${seen} order by ${table}.id desc limit ${limit})
    select near.id from near where (select count(*) from near) = ${limit}
    ${indexed(seen, ...(projects ? [sql`not ${areFew}`] : []))}
    ${projects ? indexed(sql`${projectId} = any(array(${ofMine}))`, areFew) : sql.empty}`)
}

/** Condition: the caller sees the row, and it is in one of these projects where some are named. */
export function seenBy(caller: Caller, { table, projectId, isProject }: Kind, within?: readonly string[]): Sql {
  const projects = projectsOf(caller, within)
  if (projects) return sql`(${projectId} in (${projects})) is true`
  return isProject ? sql`true` : sql`${inDeletedProject(caller.orgId, table)} is not true`
}
