import { inDeletedProject } from '../access/visibility.ts'
import { type Sql, sql } from '../db/sql.ts'
import { matches } from './condition.ts'
import { isPosted, type Kind, projectOf, tableOf } from './kind.ts'
import { between, isMine, type Reading } from './reading.ts'

/** The newest of some postings, or of ids by that name, whose things match. */
export function walked(reading: Reading, which: Sql, from = sql`postings`): Sql {
  const table = tableOf(reading.kind)
  if (reading.most !== undefined)
    return rowsOf(
      reading,
      sql`select postings.id from ${from} where ${which} order by postings.id desc limit ${sql.literal(reading.most)}`,
    )
  return sql`select postings.id from ${from} cross join lateral (
        select from ${table} where ${table}.org_id = ${reading.orgId} and ${table}.id = postings.id and ${seen(reading, true)}
        offset 0) there
      where ${which} order by postings.id desc limit ${reading.wanted.limit}`
}

/** The first of these ids whose rows match. */
export function rowsOf(
  reading: Reading,
  ids: Sql,
  {
    matching = true,
    when,
    limit = sql`${reading.wanted.limit}`,
  }: { matching?: boolean; when?: Sql | undefined; limit?: Sql } = {},
): Sql {
  const table = tableOf(reading.kind)
  return sql`select candidates.id from (${ids}) candidates cross join lateral (
        select from ${table} where ${table}.org_id = ${reading.orgId} and ${table}.id = candidates.id
          and ${seen(reading, matching)} offset 0) there
      ${when ? sql`where ${when}` : sql.empty} order by candidates.id desc limit ${limit}`
}

/** What no postings find. */
export function unposted(reading: Reading): Sql {
  const table = tableOf(reading.kind)
  const rows = reading.kind.words
    ? ofWordsAlone(reading, { ...reading.kind, table: reading.kind.words })
    : sql`select * from ${table} where ${isUnposted(reading)} offset 0`
  return sql`select ${table}.id from (${rows}) ${table}
    where ${seen(reading, true)} order by ${table}.id desc limit ${reading.wanted.limit}`
}

/** Query of rows, by the words of those that have no postings: few. Each row is looked up by itself (hence offset 0). */
function ofWordsAlone({ kind, orgId, query, ofProjects }: Reading, words: Kind): Sql {
  const [table, kept] = [tableOf(kind), tableOf(words)]
  const alone = sql.all(
    sql`${kept}.org_id = ${orgId} and not (${isPosted(words)})`,
    !ofProjects && matches(words, query, { byIndex: true }),
  )
  return sql`select ${table}.* from (select ${kept}.id from ${kept} where ${alone} offset 0) alone cross join lateral (
    select * from ${table} where ${table}.org_id = ${orgId} and ${table}.id = alone.id offset 0) ${table}`
}

/** Condition: the row may match, and no postings find it. */
export function isUnposted({ kind, orgId, query, ofProjects }: Reading): Sql {
  const table = tableOf(kind)
  return sql.all(
    sql`${table}.org_id = ${orgId} and ${table}.deleted_at is null and not (${isPosted(kind)})`,
    ofProjects ? isMine(projectOf(kind)) : matches(kind, query, { byIndex: true }),
  )
}

/** Condition: the row is there, the caller sees it, and it matches if that is asked. */
function seen(reading: Reading, matching: boolean): Sql {
  const [table, project] = [tableOf(reading.kind), projectOf(reading.kind)]
  // a project that is deleted is so itself
  const inProject = reading.kind.projectColumn === undefined
  const visible = reading.ofProjects
    ? sql`(${project} in (select mine.project_id from mine)) is true`
    : inProject && sql`${inDeletedProject(reading.orgId, table)} is not true`
  return sql.all(
    sql`${table}.deleted_at is null`,
    matching && matches(reading.kind, reading.query),
    visible,
    between(reading, sql`${table}.id`),
    // hidden from the planner, which could find rows by it
    reading.wanted.besides && sql`(${reading.wanted.besides}) is true`,
  )
}
