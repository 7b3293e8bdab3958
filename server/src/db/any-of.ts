import { type Sql, sql } from './sql.ts'

/** Condition: a column holds one of these values. A single value becomes a plain comparison, which every plan can use. */
export const isAnyOf = (column: Sql, values: readonly string[]): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

/** Like `isAnyOf`, but `none` stands for null. */
export function isAnyOfOrNone(column: Sql, values: readonly string[]): Sql {
  const named = values.filter((value) => value !== 'none')
  if (named.length === 0) return sql`${column} is null`
  return named.length === values.length ? isAnyOf(column, named) : sql`(${isAnyOf(column, named)} or ${column} is null)`
}
