import { type Sql, sql } from './sql.ts'

/**
 * SQL: fields of a row as the JSON text that the client gets, in this order.
 * @param fields columns in camelCase; those that end in `At` are date-times
 */
export const shownAsJson = (table: string, fields: readonly string[]): Sql => {
  const columns = fields.map((field) =>
    sql.field(table, field, field.endsWith('At') ? moment(table, field) : undefined),
  )
  return sql`(select row_to_json(fields)::text from (select ${sql.join(columns, ', ')}) fields)`
}

const moment = (table: string, field: string) =>
  sql`to_char(${sql.named(table)}.${sql.named(field)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
