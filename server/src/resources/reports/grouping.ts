import { detachingIds } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { dateOf, type ShownDate } from './calendar.ts'

/** A way to group the rows of a report. A report first sums up rows by their common columns, as `sums`. */
export interface Grouping {
  /** the columns that the rows of a group have in common */
  of: readonly Sql[]
  /** tables to join to the rows */
  beside?: readonly ((orgId: string) => Sql)[]
  /** tables to join to the `sums` */
  behind?: readonly ((orgId: string) => Sql)[]
  /** the key of the group, from the `sums` */
  key: (orgId: string) => Sql
  /** the name of a key, for people */
  name: (orgId: string, key: Sql) => Sql
}

/** SQL: the name in the table's row with this id. */
export const nameFrom = (table: Sql) => (orgId: string, key: Sql) =>
  sql`(select ${table}.name from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${key})`

/** SQL: a key that is its own name. */
export const asText = (_: string, key: Sql) => sql`${key}::text`

/**
 * Joins the date of a date-time to its row.
 * @param name of the joined table; its one column is `date`
 */
export const withDateOf = (moment: Sql, name: Sql, date: Sql) => (orgId: string) =>
  sql`cross join lateral (select ${dateOf(orgId, moment)} as ${date}) ${name}`

/** A grouping by a date in the `sums`. */
export const byDate = (date: Sql, shown: ShownDate) => ({
  key: (orgId: string) => shown(orgId, sql`sums.${date}`),
  name: asText,
})

/** Joins the ids in a column of the `sums`, except ids that are being detached. If no id is left, one row stays. */
export const joinEachId = (column: Sql, name: Sql) => (orgId: string) =>
  sql`
  left join unnest(sums.${column}) ${name} (id) on (${name}.id = any(${detachingIds(orgId)})) is not true`

/** SQL: an id of the `sums`, or null while it is being detached. */
export const unlessDetaching = (column: Sql) => (orgId: string) =>
  sql`case when sums.${column} = any(${detachingIds(orgId)}) then null else sums.${column} end`

/** The pieces of a statement that groups rows. */
export function groupedBy(orgId: string, groupings: readonly Grouping[]) {
  const keys = [sql`key1`, sql`key2`, sql`key3`].slice(0, groupings.length)
  // groupings can share columns and tables: name each once
  const tables = (all: readonly ((orgId: string) => Sql)[]) =>
    joined(
      [...new Set(all)].map((table) => table(orgId)),
      ' ',
    )
  return {
    common: joined(
      [...new Map(groupings.flatMap(({ of }) => of).map((column) => [column.text, column])).values()],
      ', ',
    ),
    beside: tables(groupings.flatMap(({ beside = [] }) => beside)),
    behind: tables(groupings.flatMap(({ behind = [] }) => behind)),
    /** the keys of the `sums`, with the names in `keys` */
    keyed: joined(
      groupings.map(({ key }, i) => sql`${key(orgId)} as ${keys[i]}`),
      ', ',
    ),
    keys: joined(keys, ', '),
    /** the keys and the names of the groups */
    shown: sql`array[${joined(
      keys.map((key) => sql`${key}::text`),
      ', ',
    )}] as keys, array[${joined(
      groupings.map(({ name }, i) => name(orgId, keys[i] ?? sql.empty)),
      ', ',
    )}] as names`,
  }
}

const joined = (pieces: readonly Sql[], between: string) => sql.join(pieces, between)
