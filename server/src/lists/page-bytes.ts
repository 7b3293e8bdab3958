import { type Sql, sql } from '../db/sql.ts'

/** The most bytes of a page by cursor before its last item. A hundred long texts could be 30 MB. */
export const maxPageBytes = 4_194_304

/** How many of the items fit on a page. */
export function countWithinPageBytes(items: readonly object[]): number {
  // a character takes at most six bytes: this is enough to see that nearly all pages are short
  if (items.reduce((sum, item) => sum + lettersIn(item), 0) * 6 < maxPageBytes) return items.length
  let bytes = 0
  const tooMany = items.findIndex((item) => {
    if (bytes >= maxPageBytes) return true
    bytes += Buffer.byteLength(JSON.stringify(item))
    return false
  })
  return tooMany === -1 ? items.length : tooMany
}

const lettersIn = (item: object) =>
  Object.values(item).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/**
 * Query: the first rows of a query that fit on a page, and the row after them.
 * @param by the order of the rows; their column `shown` is their JSON text
 */
export const rowsWithinPageBytes = (rows: Sql, table: Sql, by: Sql): Sql => sql`
  select * from (
    select ${table}.*, sum(octet_length(${table}.shown)) over (
      order by ${by} rows between unbounded preceding and 2 preceding) as bytes from (${rows}) ${table}) ${table}
  where coalesce(${table}.bytes, 0) < ${maxPageBytes}`
