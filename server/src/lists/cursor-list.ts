import type { Caller } from '../access/caller.ts'
import type { Visibility } from '../access/visibility.ts'
import type { Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import type { Sql } from '../db/sql.ts'
import type { Cursors } from './cursor.ts'
import type { Order } from './order.ts'

/** A list, and the order that it is asked for in. */
export interface CursorList {
  order: Order
  table: Sql
  /** condition: the filters match the row, whoever may see it; none where nothing is filtered */
  where: Sql | undefined
  /** the same as several conditions, of which no row fulfils two, where each is found by an index of its own */
  either?: readonly (Sql | undefined)[] | undefined
  visibility: Visibility
  /** query of columns of the rows, newest first, where it is not made of the above */
  found?: ((wanted: { columns: Sql; limit: number; idBound: string | undefined }) => Sql | undefined) | undefined
}

/** Who asks for a page of a list by cursor, and for which. */
export interface PageRequest {
  db: Db
  caller: Caller
  cursors: Cursors
  query: {
    limit: number
    cursor?: string | undefined
    /** what of the items is wanted */
    fields?: Fields
  }
}
