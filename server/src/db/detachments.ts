import { type Sql, sql } from './sql.ts'

/** By the field that shows it: what rows bear and may lose when it is deleted, each as an array of ids. */
export type DetachableFields = Record<string, Sql>

/**
 * The ids of what is deleted in an organization and not yet taken off all that bears it; nearly always null. Looked up once
 * for a statement, however many rows it is compared with.
 */
export const detachingIds = (orgId: string): Sql => sql`nullif(array(
  select detachments.id from detachments where detachments.org_id = ${orgId}), '{}')`

/** Condition: one of some ids names something that is being taken off. */
export const isDetaching = (orgId: string, ids: readonly string[]): Sql => sql`exists (
  select from detachments where detachments.org_id = ${orgId} and detachments.id = any(${ids}))`

/** How many of an array of ids name something that is being taken off. */
export const countDetaching = (orgId: string, ids: Sql): Sql => sql`(
  select count(*)::int from detachments where detachments.org_id = ${orgId} and detachments.id = any(${ids}))`

/** Shows something without what is being taken off. */
export type Strip<Item> = (item: Item, gone: readonly string[]) => Item

/** Behind the columns of rows: by what `rowLeft` knows what to leave out, and takes away again. */
export const withDetaching = (orgId: string): Sql => sql`, ${detachingIds(orgId)} as detaching`

/** A row that was read `withDetaching`, as it is shown. */
export function stripRow<Item extends object>(row: Item, strip: Strip<Item>): Item {
  const read = row as { detaching?: string[] | null }
  const { detaching } = read
  // of the property that was added last it costs nothing, a copy of the others does
  delete read.detaching
  return detaching ? strip(row, detaching) : row
}

/**
 * How things that bear something are shown without what is being taken off. That an id vanishes is a change, so each counts
 * as one in the version: when it is taken off, the version that is stored takes its place.
 */
export const stripFields =
  <Item extends object>(detachable: DetachableFields): Strip<Item> =>
  (item, gone) => {
    const { version, ...fields } = item as Record<string, unknown>
    let lost = 0
    const isLeft = (id: unknown) => {
      if (!gone.includes(id as string)) return true
      lost++
      return false
    }
    const strip = Object.keys(detachable).map((field) => {
      const ids = fields[field]
      return [field, Array.isArray(ids) ? ids.filter(isLeft) : isLeft(ids) ? ids : null]
    })
    return { ...item, ...Object.fromEntries(strip), version: Number(version) + lost }
  }
