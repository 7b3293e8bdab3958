import type { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import { type Sql, sql } from '../db/sql.ts'

interface Filter<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  /** condition: a row matches, independent of the caller; undefined if visibility already ensures it */
  condition(value: z.output<Schema>, caller: Caller): Sql | undefined
}

/** Declares a filter. */
export const filter = <Schema extends z.ZodType>(
  schema: Schema,
  condition: Filter<Schema>['condition'],
): Filter<Schema> => ({ schema, condition })

/** The filters of a list, by name of the parameter. All filters of a request must match. */
type Filters = { readonly [name: string]: Filter }

/** The values of a request. */
export type FilterValues<Table extends Filters> = {
  [name in keyof Table]?: z.output<Table[name]['schema']> | undefined
}

/** The parameters of filters, for the query of a route. */
export const parametersOf = <Table extends Filters>(filters: Table) =>
  Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema.optional()])) as {
    [name in keyof Table]: z.ZodOptional<Table[name]['schema']>
  }

/** Condition: all filters of a request match; undefined without filters. PostgreSQL plans the statement for these values. */
export function matching<Table extends Filters>(
  filters: Table,
  caller: Caller,
  wanted: FilterValues<Table>,
): Sql | undefined {
  const given = Object.entries(filters).filter(([name]) => wanted[name] !== undefined)
  const conditions = given.flatMap(([name, { condition }]) => condition(wanted[name], caller) ?? [])
  return conditions.length === 0 ? undefined : sql.customPlan(sql.all(...conditions))
}
