import type { Sql } from './sql.ts'

/** The database as a handler sees it: it sends statements and gets rows. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>
  row<Row>(statement: Sql): Promise<Row | undefined>
}
