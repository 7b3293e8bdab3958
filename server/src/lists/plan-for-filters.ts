import { type Sql, sql } from '../db/sql.ts'

/**
 * The condition of a list's filters, none when none is given; planned for their values where these decide which way is
 * short: where several filters meet, of which one may match little and the other nearly all, and where one matches a range
 * or words.
 * @param filters all that the list has
 * @param ranges the names of those that match a range or words
 */
export function planForFilters<Name extends string>(
  condition: Sql,
  wanted: { readonly [name in Name]?: unknown },
  filters: { readonly [name in Name]: unknown },
  ranges: readonly Name[],
): Sql | undefined {
  if (condition === sql.empty) return undefined
  const given = (Object.keys(filters) as Name[]).filter((name) => wanted[name] !== undefined)
  return combinesFilters(wanted, filters) || given.some((name) => ranges.includes(name))
    ? sql.customPlan(condition)
    : condition
}

/** Whether several filters meet, or several values of one. */
export function combinesFilters<Name extends string>(
  wanted: { readonly [name in Name]?: unknown },
  filters: { readonly [name in Name]: unknown },
): boolean {
  const values = (Object.keys(filters) as Name[]).flatMap((name) => wanted[name] ?? [])
  return values.length > 1
}
