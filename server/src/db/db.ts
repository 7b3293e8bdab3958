import type { Sql } from './sql.ts'

/** What a handler may do with the database: ask. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>
  row<Row>(statement: Sql): Promise<Row | undefined>
}
