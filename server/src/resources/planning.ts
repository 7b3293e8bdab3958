import { type Sql, sql } from '../db/sql.ts'

/**
 * The condition of a list's filters, planned for their values where these decide which way is short: where several
 * filters meet, of which one may match little and the other nearly all, and where one matches a range or words.
 * @param filters all that the list has
 * @param ranges the names of those that match a range or words
 */
export function planned<Name extends string>(
  condition: Sql,
  wanted: { readonly [name in Name]?: unknown },
  filters: { readonly [name in Name]: unknown },
  ranges: readonly Name[],
): Sql {
  const given = (Object.keys(filters) as Name[]).filter((name) => wanted[name] !== undefined)
  const several = given.length > 1 || given.some((name) => Array.isArray(wanted[name]) && wanted[name].length > 1)
  return several || given.some((name) => ranges.includes(name)) ? sql.anew(condition) : condition
}
