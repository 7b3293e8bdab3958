import type { Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import type { RowLock } from '../db/sql.ts'
import type { Caller, ProjectRole } from './caller.ts'

/** A resource that the caller can see, with the caller's role in its project (or in the organization, if it has none). */
export interface Loaded<Item> {
  item: Item
  role: ProjectRole
  /** whether its project is archived and so read-only; absent if it is in no project */
  archived?: boolean
}

/** The owner of a resource, which decides who sees it. `either`: a project or the organization. */
export type Belonging = 'project' | 'organization' | 'either' | 'member'

/** Finds rows of a resource by ids from a path or a body. It returns only rows that the caller can see. */
export interface Loader<Item> {
  belongsTo: Belonging
  /** other values than an id that a path may contain */
  accepts?: RegExp
  /** other values than the id before it that a path may contain */
  acceptsWithin?: RegExp
  load(db: Db, caller: Caller, wanted: Lookup): Promise<Loaded<Item>[]>
}

export interface Lookup {
  ids: readonly string[]
  /** the id before it in the path: a project's, for a project member */
  within?: string | undefined
  lock: RowLock
  /** only deleted rows that can still be restored, instead of existing rows */
  deleted?: boolean
  /** the fields of the item that are needed; the result may have more */
  fields?: Fields
}
