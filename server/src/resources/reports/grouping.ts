import { detachingIds } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { dateOf, type ShownDate } from './calendar.ts'

/** A way to group what a report sums up. Rows are summed up by what they have in common first, as `sums`. */
export interface Grouping {
  /** what rows of a group have in common, columns all */
  of: readonly Sql[]
  /** tables beside the row that it takes */
  beside?: readonly ((orgId: string) => Sql)[]
  /** tables beside the `sums` by what rows have in common */
  behind?: readonly ((orgId: string) => Sql)[]
  /** the group, of the `sums` */
  key: (orgId: string) => Sql
  /** the name that people know a key by */
  name: (orgId: string, key: Sql) => Sql
}

/** The name that something goes by in its table. */
export const named = (table: Sql) => (orgId: string, key: Sql) =>
  sql`(select ${table}.name from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${key})`

/** What is called as it is. */
export const asText = (_: string, key: Sql) => sql`${key}::text`

/**
 * Joins the date of a moment to its row.
 * @param name of the joined table; its one column is `date`
 */
export const withDateOf = (moment: Sql, name: Sql, date: Sql) => (orgId: string) =>
  sql`cross join lateral (select ${dateOf(orgId, moment)} as ${date}) ${name}`

/** A group by a date of the `sums`. */
export const byDate = (date: Sql, shown: ShownDate) => ({
  key: (orgId: string) => shown(orgId, sql`sums.${date}`),
  name: asText,
})

/** Joins each of the ids in a column of the `sums`, but what is being detached; one row where none is left. */
export const eachOf = (column: Sql, name: Sql) => (orgId: string) =>
  sql`
  left join unnest(sums.${column}) ${name} (id) on (${name}.id = any(${detachingIds(orgId)})) is not true`

/** An id of the `sums`, or null while it is being detached. */
export const unlessDetaching = (column: Sql) => (orgId: string) =>
  sql`case when sums.${column} = any(${detachingIds(orgId)}) then null else sums.${column} end`

/** The pieces of a statement that groups. */
export function groupedBy(orgId: string, groupings: readonly Grouping[]) {
  const keys = [sql`key1`, sql`key2`, sql`key3`].slice(0, groupings.length)
  // two groupings may need the same of a row, and the same tables
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
    /** of the `sums`, with the names that `keys` are */
    keyed: joined(
      groupings.map(({ key }, i) => sql`${key(orgId)} as ${keys[i]}`),
      ', ',
    ),
    keys: joined(keys, ', '),
    /** of the groups: what they are, and what they are called */
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
