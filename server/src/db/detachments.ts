import { isAnyOf } from './any-of.ts'
import { type Sql, sql } from './sql.ts'

/** By field: the ids in a row that may be detached from it when what they name is deleted, as an SQL array. */
export type DetachableFields = Record<string, Sql>

/**
 * SQL: the ids of what was deleted in an organization and is still being detached; nearly always null. PostgreSQL looks
 * them up once per statement, for however many rows.
 */
export const detachingIds = (orgId: string): Sql => sql`nullif(array(
  select detachments.id from detachments where detachments.org_id = ${orgId}), '{}')`

/**
 * Condition: a column holds one of these ids that is not being detached, or nothing where `none` is among them. Of a single id it
 * is asked once, not for each row.
 */
export function isAnyLeft(orgId: string, column: Sql, values: readonly string[]): Sql {
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

/** Leaves out of an item what is being detached. */
export type Strip<Item> = (item: Item, gone: readonly string[]) => Item

/** A further last column, by which `stripRow` knows what to leave out. `stripRow` removes it again. */
export const withDetaching = (orgId: string): Sql => sql`, ${detachingIds(orgId)} as detaching`

/** A row that was read `withDetaching`, without what is being detached. */
export function stripRow<Item extends object>(row: Item, strip: Strip<Item>): Item {
  const read = row as { detaching?: string[] | null }
  const { detaching } = read
  // deleting the property that was added last costs nothing; a copy of the others would
  delete read.detaching
  return detaching ? strip(row, detaching) : row
}

/**
 * Makes the function that leaves out what is being detached. That an id vanishes is a change, so each adds one to the shown
 * version. Once the id is detached, the stored version has been raised by as much.
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
    // of a row that was read in part, it counts only if it was read too: then all these are
    return {
      ...item,
      ...Object.fromEntries(left),
      ...(version === undefined ? {} : { version: Number(version) + lost }),
    }
  }
