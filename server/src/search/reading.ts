import type { Caller } from '../access/caller.ts'
import { projectsOf } from '../access/visibility.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Kind } from './kind.ts'
import { Posted } from './posted.ts'
import type { Query } from './query.ts'

/** What a statement looks for, and the queries that it has named so far. */
export interface Reading {
  kind: Kind
  orgId: string
  query: Query
  wanted: Wanted
  posted: Posted
  /** whether it is for who sees some projects: these are in `mine` */
  ofProjects: boolean
  /** about so many rows are looked at, and fewer than the limit may be found then */
  most: number | undefined
  ctes: Sql[]
}

/** What is wanted of what is found. */
export interface Wanted {
  /** how many at most */
  limit: number
  /** all have smaller ids */
  idBound?: string | undefined
  /** none has a greater id than what a statement itself finds out */
  idUpTo?: Sql | undefined
  /** none has a smaller id */
  idFrom?: string | undefined
  /** the projects to which the search is confined */
  within?: readonly string[] | undefined
  /** query of `project_id`: what the caller sees of projects, where it is confined to what a statement itself finds out */
  projects?: Sql | undefined
  /** query of `id`: rows that are found too, such as that of a key */
  also?: Sql | undefined
  /**
   * condition that rows must fulfil besides. They are looked for among some hundreds that match, and none is found where these
   * are fewer than the limit.
   */
  besides?: Sql | undefined
}

/** So many rows are looked at for a condition besides. */
const mostBesides = 600

/** A statement that looks for what the caller sees. */
export function readingOf(kind: Kind, caller: Caller, query: Query, wanted: Wanted): Reading {
  const { orgId } = caller
  const projects = wanted.projects ?? projectsOf(caller, wanted.within)
  const most = wanted.besides && mostBesides
  const posted = new Posted(kind, orgId)
  const reading: Reading = { kind, orgId, query, wanted, posted, ofProjects: projects !== undefined, most, ctes: [] }
  if (projects) cte(reading, 'mine', projects)
  return reading
}

/** Names a query of the statement. */
export function cte({ ctes }: Reading, name: string, query: Sql): Sql {
  const named = sql.named(name)
  ctes.push(sql`${named} as materialized (${query})`)
  return named
}

/** SQL: what the statement begins with, the queries that it has named. */
export const withCtes = ({ ctes }: Reading): Sql =>
  ctes.length === 0 ? sql.empty : sql`with recursive ${sql.join(ctes, ', ')}`

/** Condition: the project is one that the caller sees. */
export const isMine = (projectId: Sql): Sql => sql`${projectId} = any(array(select mine.project_id from mine))`

/** Condition: the posting is behind the position of the page; none on the first page. */
export const behind = (reading: Reading): Sql | undefined => between(reading, sql`postings.id`)

/** Condition: the id is between the bounds; none without these. */
export function between(reading: Reading, id: Sql): Sql | undefined {
  const { idBound, idUpTo, idFrom } = reading.wanted
  const bounds = [
    idBound !== undefined && sql`${id} < ${idBound}`,
    idUpTo && sql`${id} <= ${idUpTo}`,
    idFrom !== undefined && sql`${id} >= ${idFrom}`,
  ]
  return bounds.some(Boolean) ? sql.all(...bounds) : undefined
}
