import type { Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import type { RowLock } from '../db/sql.ts'
import type { Caller, ProjectRole } from './caller.ts'

/** A resource that the caller may see, with the caller's role in its project (or in the organization, if it has none). */
export interface Loaded<Item> {
  item: Item
  role: ProjectRole
  /** its project is archived: read-only; absent where it is in no project */
  archived?: boolean
}

/** What a resource belongs to, which decides who sees it. `either`: to a project or to the organization. */
export type Belonging = 'project' | 'organization' | 'either' | 'member'

/** Finds the rows of a resource by id: only those that the caller may see, whether the id was in the path or the body. */
export interface Loader<Item> {
  belongsTo: Belonging
  /** what may stand in a path in place of an id */
  accepts?: RegExp
  /** what may stand in place of the id before it */
  acceptsWithin?: RegExp
  load(db: Db, caller: Caller, wanted: Lookup): Promise<Loaded<Item>[]>
}

export interface Lookup {
  ids: readonly string[]
  /** the id before it in the path: a project's, for a project member */
  within?: string | undefined
  lock: RowLock
  /** only what was deleted and can still be restored, instead of what is there */
  deleted?: boolean
  /** what of the item is wanted; more of it may come */
  fields?: Fields
}
