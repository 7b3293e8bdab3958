import type { Sql } from '../db/sql.ts'
import type { CursorList, PageRequest } from './cursor-list.ts'
import { fixedStatement, positionOf } from './fixed-statement.ts'
import { isSorted } from './order.ts'
import { sortedStatement } from './sorted-statement.ts'

/** The statement of a page. */
const statementOf = (request: PageRequest, list: CursorList, columns: Sql): Sql =>
  isSorted(list.order)
    ? sortedStatement(request, { ...list, order: list.order }, columns)
    : fixedStatement(request, { ...list, order: list.order }, columns)

/**
 * Reads a page by its statement; where there is one that takes less and may find fewer rows, by that one, if it fills the page.
 * @param read sends a statement, and says how many rows it found
 */
export async function readPage<Answer>(
  request: PageRequest,
  list: CursorList,
  columns: Sql,
  read: (statement: Sql) => Promise<{ count: number; answer: Answer }>,
): Promise<Answer> {
  const limit = request.query.limit + 1
  if (list.foundFirst && !isSorted(list.order)) {
    const first = list.foundFirst({ columns, limit, idBound: positionOf(request, list.order)?.idBound })
    const { count, answer } = first ? await read(first) : { count: 0, answer: undefined }
    if (answer !== undefined && count === limit) return answer
  }
  const { answer } = await read(statementOf(request, list, columns))
  return answer
}
