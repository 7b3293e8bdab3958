import { type Sql, sql } from '../db/sql.ts'

/** A kind of resource that search finds by its words: its table declares `foundBy` (db/table.ts). */
export interface Kind {
  table: Sql
  /** SQL: the project of a row */
  projectId: Sql
  isProject?: true
  /** SQL: its name, if it has one */
  name?: Sql
  /** whether its table has `long_text` */
  mayBeLong: boolean
}

/** Condition: a row has these lexemes. */
export const hasLexemes = ({ table }: Pick<Kind, 'table'>, tsquery: string): Sql =>
  sql`${table}.lexemes @@ ${tsquery}::tsquery`
