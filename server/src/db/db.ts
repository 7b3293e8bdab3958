import type { Sql } from './sql.ts'

/** What a handler may do with the database: ask. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>
  row<Row>(statement: Sql): Promise<Row | undefined>
  /**
   * A further column, `asOf`, which begins with a comma: where it is there, somebody wants to know as of which write is read.
   * A page takes it along.
   */
  asOf?: Sql
}
