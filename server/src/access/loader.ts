import type { Db } from '../db/db.ts'
import type { RowLock } from '../db/sql.ts'
import type { Caller, ProjectRole } from './caller.ts'

/** Something that the caller may see, and the caller's role in its project (in the organization, where it has none). */
export interface Loaded<Item> {
  item: Item
  role: ProjectRole
  /** its project is archived: read-only; absent where it is in no project */
  archived?: boolean
}

/** Whose something is, which settles who sees it: a project's, the organization's, one or the other, or a member's. */
export type Belonging = 'project' | 'organization' | 'either' | 'member'

/** How the rows of a resource are found by id: only those that the caller may see, whatever the id came in by. */
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
}
