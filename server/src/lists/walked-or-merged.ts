import { type Sql, sql } from '../db/sql.ts'

/** How many rows are walked past for a caller who sees few of them, before its projects are merged instead. */
const mostOfAll = sql.literal(1_000)

/** With no more projects than these, and without filters, they are merged at once; for each further one so many rows are walked. */
const [directProjects, rowsPerProject] = [sql.literal(8), sql.literal(80)]

/** Of no more projects than these, and without filters, it takes less to merge them than to see whether more rows match. */
const fewProjects = sql.literal(20)

interface TwoWays {
  /** query of `project_id`: the projects that the caller sees */
  projects: Sql
  /** how many rows the page takes, and one more */
  limit: number
  filtered: boolean
  /** how many rows are walked past at most, where it is another number */
  mostWalked?: Sql
  /** query of `project_id` and keys: the first matching rows of all projects, so many */
  nearest: (most: Sql) => Sql
  /** the keys of a row, what they are columns of, and their order */
  keys: Sql
  table: Sql
  by: Sql
  /** query of keys: the first matching rows of the projects in `mine`, merged; none where the condition does not hold */
  merged: (condition: Sql) => Sql
  /** the page with these keys */
  rowsOf: (page: Sql) => Sql
}

/**
 * The statement of a page for who sees some projects. There are two ways to find its rows:
 *
 * - Walk: read the keys of rows in the order of the list and skip what the caller does not see. Short for a caller who sees
 *   everything or much of it.
 * - Merge: read the first keys of each project that the caller is in, and merge them. Short for a caller with few projects,
 *   for whom a walk would skip nearly all rows.
 *
 * The walk ends after so many rows; where these do not fill the page and more match, the projects are merged. Both ways stand
 * in one statement, and one of the two always returns nothing.
 */
export function walkedOrMerged({
  projects,
  limit,
  filtered,
  mostWalked = mostOfAll,
  nearest,
  keys,
  table,
  by,
  merged,
  rowsOf,
}: TwoWays): Sql {
  const count = sql`(select count(*) from mine)`
  // with filters it may be a long walk: done once, no further than it is read. Else it is one in an index alone, and to do it
  // again where its rows are counted takes less than to keep them.
  const near = filtered && sql`near as materialized (${nearest(mostWalked)}),`
  const walk = near
    ? sql`near`
    : sql`(select * from (${nearest(mostWalked)}) ${table} order by ${by}
        limit least(${mostWalked}, ${rowsPerProject} * greatest(${count} - ${directProjects}, 0)))`
  // of a CTE PostgreSQL knows no order before version 17: it would read all of it, and sort it (decision 97)
  const inOrder = near ? sql.empty : sql`order by ${by}`
  const further = near
    ? sql`(select count(*) from near) = ${mostWalked}`
    : sql`case when ${count} <= ${fewProjects} then true
        else (select count(*) from (${nearest(mostWalked)}) near) = ${mostWalked} end`
  const merges = sql`(select turn.merges from turn)`
  return sql`
    with mine as materialized (${projects}), ${near || sql.empty}
      seen as materialized (
        select ${keys} from ${walk} ${table}
        where (${table}.project_id in (select mine.project_id from mine)) is true ${inOrder} limit ${limit}),
      turn as materialized (
        select case when (select count(*) from seen) = ${limit} then false else ${further} end as merges)
    ${rowsOf(sql`
      select * from seen where not ${merges}
      union all
      (${merged(merges)})`)}`
}
