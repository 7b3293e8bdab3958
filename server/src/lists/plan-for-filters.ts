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

/**
 * What is wanted in two parts that no row matches both: of the first of these filters that has `none` beside values, `none`
 * and the values. No index finds both at once; undefined where there is no such filter.
 */
export function apartFromNone<
  Name extends string,
  Wanted extends { readonly [name in Name]?: readonly string[] | undefined },
>(wanted: Wanted, names: readonly Name[]): Wanted[] | undefined {
  const name = names.find((one) => (wanted[one]?.length ?? 0) > 1 && wanted[one]?.includes('none'))
  if (name === undefined) return undefined
  const values = (wanted[name] ?? []).filter((value) => value !== 'none')
  return [
    { ...wanted, [name]: ['none'] },
    { ...wanted, [name]: values },
  ]
}

/** Whether there are several filters, or several values of one. */
function combinesFilters<Name extends string>(
  wanted: { readonly [name in Name]?: unknown },
  filters: { readonly [name in Name]: unknown },
): boolean {
  const values = (Object.keys(filters) as Name[]).flatMap((name) => wanted[name] ?? [])
  return values.length > 1
}
