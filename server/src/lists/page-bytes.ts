import { type Sql, sql } from '../db/sql.ts'

/** How long the items of a page by cursor may be before the last one, in bytes: a hundred long texts may be 30 MB. */
export const mostBytes = 4_194_304

/** How many of some items are no longer than a page may be. */
export function fitting(items: readonly object[]): number {
  // no character takes more than six bytes: nearly all pages are known by that to be short
  if (items.reduce((sum, item) => sum + lettersIn(item), 0) * 6 < mostBytes) return items.length
  let bytes = 0
  const tooMany = items.findIndex((item) => {
    if (bytes >= mostBytes) return true
    bytes += Buffer.byteLength(JSON.stringify(item))
    return false
  })
  return tooMany === -1 ? items.length : tooMany
}

const lettersIn = (item: object) =>
  Object.values(item).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/**
 * Query: the first rows of a query, which are no longer than a page may be, and the one behind them.
 * @param by the order of the rows, of which `shown` is what they are shown as
 */
export const fittingRows = (rows: Sql, table: Sql, by: Sql): Sql => sql`
  select * from (
    select ${table}.*, sum(octet_length(${table}.shown)) over (
      order by ${by} rows between unbounded preceding and 2 preceding) as bytes from (${rows}) ${table}) ${table}
  where coalesce(${table}.bytes, 0) < ${mostBytes}`
