import { type Sql, sql } from '../db/sql.ts'

/**
 * The condition of a list's filters, undefined without any. It gets a custom plan where the values decide which index is
 * best: with several filters, of which one may match few rows and another nearly all, or with a range or words.
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

/** Whether there are several filters, or several values of one. */
export function combinesFilters<Name extends string>(
  wanted: { readonly [name in Name]?: unknown },
  filters: { readonly [name in Name]: unknown },
): boolean {
  const values = (Object.keys(filters) as Name[]).flatMap((name) => wanted[name] ?? [])
  return values.length > 1
}
