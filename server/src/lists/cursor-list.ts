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
  /** for each of these, the rows that it chooses from, under the name of the table, where they are not all */
  sources?: readonly (Sql | undefined)[] | undefined
  visibility: Visibility
  /** query of columns of the rows, newest first, where it is not made of the above */
  found?: Found | undefined
  /** slices of the list, of which the first rows are merged; beside `where` alone */
  slices?: Slices | undefined
  /** what else finds the rows of an order by id: lists of ids, where the filters name such */
  listed?: Listed | undefined
}

/** Query of columns of rows, newest first: so many, all with smaller ids. */
type Found = (wanted: { columns: Sql; limit: number; idBound: string | undefined }) => Sql | undefined

/** Slices of a list, each of which an index has in the order of the list, where no index has all that the filters leave so. */
interface Slices {
  /** what has a row for each slice */
  each: Sql
  /** condition: a row is in that slice; it is in no other */
  within: Sql
}

/** Filters that rows fulfil whose ids stand in each of some lists. */
export interface Listed {
  /** those that may be longest first */
  lists: readonly IdList[]
  /** condition: what the row itself must fulfil besides */
  rest: Sql | undefined
  /** SQL: how many rows a project has had at most */
  rowsIn: (projectId: Sql) => Sql
}

/** Ids of rows that an index has in the order of the list, the greatest first. */
export interface IdList {
  /** query of `id`, in order: those that fulfil a condition, if there is one; absent where no index has them in order */
  walk?: (which: ((id: Sql) => Sql) | undefined) => Sql
  /** query: a row if the id stands in the list; absent where `rest` tells */
  holds?: (id: Sql) => Sql
  /** condition: the same of a row */
  onRow?: Sql
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
