import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { matches } from '../../search/condition.ts'
import { isWalked, rowsFound, type Wanted } from '../../search/finding.ts'
import { parsed } from '../../search/query.ts'
import { foundTasks, keyForm } from '../task.ts'

/** Condition: what is searched for is found in the task, or is its key. */
export function searchedFor(q: string): Sql {
  const found = matches(foundTasks, parsed(q), { byIndex: true })
  const key = keyOf(q)
  return key === undefined ? found : sql`(${found} or tasks.key = ${key})`
}

/**
 * Query of the tasks that the caller sees and finds, newest first; undefined where nothing but a walk past all of them tells.
 */
export function tasksFound(caller: Caller, q: string, wanted: Omit<Wanted, 'also'>): Sql | undefined {
  const query = parsed(q)
  if (isWalked(query)) return undefined
  const key = keyOf(q)
  const also =
    key === undefined
      ? undefined
      : sql`select tasks.id from tasks where tasks.org_id = ${caller.orgId} and tasks.key = ${key} and tasks.deleted_at is null`
  return rowsFound(foundTasks, caller, query, { ...wanted, also })
}

function keyOf(q: string): string | undefined {
  const key = q.toUpperCase()
  return keyForm.test(key) ? key : undefined
}
