import type { Sql } from '../db/sql.ts'
import type { CursorList, PageRequest } from './cursor-list.ts'
import { fixedStatement } from './fixed-statement.ts'
import { isSorted } from './order.ts'
import { sortedStatement } from './sorted-statement.ts'

/** The statement of a page. */
export const statementOf = (request: PageRequest, list: CursorList, columns: Sql): Sql =>
  isSorted(list.order)
    ? sortedStatement(request, { ...list, order: list.order }, columns)
    : fixedStatement(request, { ...list, order: list.order }, columns)
