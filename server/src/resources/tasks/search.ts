import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/cursor-list.ts'
import { matches } from '../../search/condition.ts'
import { newestFound } from '../../search/newest.ts'
import { isWalked, parsed } from '../../search/query.ts'
import { foundTasks, keyForm } from '../task.ts'

/** Condition: what is searched for is found in the task, or is its key. */
export function searchedFor(orgId: string, q: string): Sql {
  const [found, key] = [matches(foundTasks, orgId, parsed(q)), q.toUpperCase()]
  return keyForm.test(key) ? sql`(${found} or tasks.key = ${key})` : found
}

/** Whether no word is asked to be there, so that nothing but a walk past all tasks tells which match. */
export const asksForNone = (q: string): boolean => isWalked(parsed(q))

interface Wanted {
  caller: Caller
  /** condition: the words and all other filters match the task */
  matching: Sql
  within: readonly string[] | undefined
  /** all have smaller ids */
  before: string | undefined
}

/** What finds the tasks that match, newest first. */
export const newestTasks =
  ({ caller, matching, within, before }: Wanted): NonNullable<CursorList['found']> =>
  ({ columns, limit, idBound: position }) => {
    const idBound = before !== undefined && (position === undefined || before < position) ? before : position
    const behind = idBound === undefined ? undefined : sql`tasks.id < ${idBound}`
    const ids = newestFound(foundTasks, caller, { matching, within, limit, behind })
    // all are looked up at once: from 17 on PostgreSQL then reads a page of the index once for all that stand in it
    return sql`select ${columns} from tasks
      where tasks.org_id = ${caller.orgId} and tasks.id = any(array(${ids})) order by tasks.id desc`
  }
