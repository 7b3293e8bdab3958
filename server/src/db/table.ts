import type { Db } from './db.ts'
import { countDetaching, type DetachableFields, stripFields, stripRow, withDetaching } from './detachments.ts'
import { newId } from './ids.ts'
import { type Sql, sql } from './sql.ts'

/** The writes that every resource shares, on a table with org_id, id, version, created_at and updated_at. */
export interface Table<Item> {
  /** @param fields columns in camelCase; what is undefined is left to the column's default */
  insert(db: Db, orgId: string, fields: Record<string, unknown>, now: string): Promise<Item>
  /** @param changes columns in camelCase; what is undefined stays as it is */
  update(db: Db, orgId: string, id: string, changes: Record<string, unknown>, now: string): Promise<Item>
  /** Makes it invisible; the row stays until it is purged. */
  remove(db: Db, orgId: string, id: string, now: string): Promise<void>
  /** Brings back what was removed. */
  restore(db: Db, orgId: string, id: string, now: string): Promise<Item>
}

/**
 * @param columns how a row is shown; every write returns it so
 * @param detachable the ids that may be detached from a row, if any
 */
export const table = <Item extends object>(name: Sql, columns: Sql, detachable?: DetachableFields): Table<Item> => ({
  async insert(db, orgId, fields, now) {
    const row = { orgId, id: newId(), ...fields, createdAt: now, updatedAt: now }
    return written(await db.row<Item>(sql`insert into ${name} ${sql.values(row)} returning ${columns}`))
  },
  async update(db, orgId, id, changes, now) {
    // what is being detached was counted in the version that was shown
    const replaced = Object.entries(detachable ?? {}).filter(([field]) => changes[field] !== undefined)
    const lost = replaced.map(([, ids]) => sql` + ${countDetaching(orgId, ids)}`)
    const row = written(
      await db.row<Item>(sql`
        update ${name} set ${sql.set({ ...changes, updatedAt: latest(now) })}, version = version + 1${sql.join(lost, '')}
        where org_id = ${orgId} and id = ${id} returning ${columns}${detachable ? withDetaching(orgId) : sql.empty}`),
    )
    return detachable ? stripRow(row, stripFields(detachable)) : row
  },
  async remove(db, orgId, id, now) {
    written(
      await db.row(sql`
        update ${name} set deleted_at = ${now}, updated_at = ${latest(now)}, version = version + 1
        where org_id = ${orgId} and id = ${id} returning id`),
    )
  },
  async restore(db, orgId, id, now) {
    const row = written(
      await db.row<Item>(sql`
        update ${name} set deleted_at = null, updated_at = ${latest(now)}, version = version + 1
        where org_id = ${orgId} and id = ${id} returning ${columns}${detachable ? withDetaching(orgId) : sql.empty}`),
    )
    return detachable ? stripRow(row, stripFields(detachable)) : row
  },
})

/** When a row was changed: now, but never before its last change, should a clock be set back or another server's be ahead. */
const latest = (now: string): Sql => sql`greatest(updated_at, ${now})`

function written<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A write that was to touch one row touched none')
  return row
}
