import { isAnyOf } from './any-of.ts'
import { type Sql, sql } from './sql.ts'

/** By field: the ids in a row that are detached from it when their resource is deleted, as an SQL array. */
export type DetachableFields = Record<string, Sql>

/**
 * SQL: the ids of deleted resources of an organization that are still being detached; nearly always null. PostgreSQL looks
 * them up once per statement, for any number of rows.
 */
export const detachingIds = (orgId: string): Sql => sql`nullif(array(
  select detachments.id from detachments where detachments.org_id = ${orgId}), '{}')`

/**
 * Condition: a column holds one of these ids that is not being detached, or null if `none` is among them. PostgreSQL checks a
 * single id once, not for each row.
 */
export function isAnyStillAttached(orgId: string, column: Sql, values: readonly string[]): Sql {
  const ids = values.filter((value) => value !== 'none')
  if (ids.length === 0) return sql`${column} is null`
  const gone = sql`from detachments where detachments.org_id = ${orgId} and detachments.id = any(${ids})`
  const left =
    ids.length === 1
      ? sql`not exists (select ${gone})`
      : sql`(${column} = any(array(select detachments.id ${gone}))) is not true`
  const named = sql`${isAnyOf(column, ids)} and ${left}`
  return ids.length === values.length ? named : sql`(${column} is null or ${named})`
}

/** SQL: how many of an array of ids are being detached. */
export const countDetaching = (orgId: string, ids: Sql): Sql => sql`(
  select count(*)::int from detachments where detachments.org_id = ${orgId} and detachments.id = any(${ids}))`

/** Removes ids that are being detached from an item. */
export type Strip<Item> = (item: Item, gone: readonly string[]) => Item

/** An additional last column, by which `stripRow` knows which ids to remove. `stripRow` removes it again. */
export const withDetaching = (orgId: string): Sql => sql`, ${detachingIds(orgId)} as detaching`

/** Removes ids that are being detached from a row that was read `withDetaching`. */
export function stripRow<Item extends object>(row: Item, strip: Strip<Item>): Item {
  const read = row as { detaching?: string[] | null }
  const { detaching } = read
  // deleting the property that was added last costs nothing; copying the others would
  delete read.detaching
  return detaching ? strip(row, detaching) : row
}

/**
 * Makes the function that removes ids that are being detached. Each removed id is a change, so it adds one to the shown version.
 * Once the id is detached, the stored version has been raised by as much.
 */
export const stripFields =
  <Item extends object>(detachable: DetachableFields): Strip<Item> =>
  (item, gone) => {
    const fields = item as Record<string, unknown>
    const { version } = fields
    let lost = 0
    const isLeft = (id: unknown) => {
      if (!gone.includes(id as string)) return true
      lost++
      return false
    }
    const read = Object.keys(detachable).filter((field) => field in fields)
    const left = read.map((field) => {
      const ids = fields[field]
      return [field, Array.isArray(ids) ? ids.filter(isLeft) : isLeft(ids) ? ids : null]
    })
    // a row that was read in part may lack its version; if it has one, it has all these fields
    return {
      ...item,
      ...Object.fromEntries(left),
      ...(version === undefined ? {} : { version: Number(version) + lost }),
    }
  }
