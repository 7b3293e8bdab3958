import type { Caller } from '../../access/caller.ts'
import { firstIdOf } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/page-statement.ts'
import { matches } from '../../search/condition.ts'
import { newestFound } from '../../search/newest.ts'
import { hasOnlyExclusions, type Search, searchParameter } from '../../search/query.ts'
import { foundTasks, keyForm } from '../task.ts'
import { taskOrders } from './orders.ts'

/** The parameter of a word search for tasks. */
export const searchedTasks = searchParameter.meta({
  description:
    'Words in the name or the description, or the key of a task. Case and accents do not matter. Write `"…"` ' +
    'for a phrase, and `-` before a word to exclude it. Write the word `or` between alternatives, up to eight.',
})

/** Condition: the task has the searched words, or the searched key. */
export function searchedFor(orgId: string, { text, query }: Search): Sql {
  const [found, key] = [matches(foundTasks, orgId, query), text.toUpperCase()]
  return keyForm.test(key) ? sql`(${found} or tasks.key = ${key})` : found
}

interface TaskQuery {
  q?: Search | undefined
  projectId?: readonly string[] | undefined
  createdBefore?: string | undefined
}

/** Finds the tasks of a list by words, if the newest come first. Otherwise undefined. */
export function foundByWords(caller: Caller, { where, order }: CursorList, query: TaskQuery): CursorList['found'] {
  const { q, projectId: within, createdBefore } = query
  if (q === undefined || where === undefined || order !== taskOrders.of(undefined) || hasOnlyExclusions(q.query))
    return undefined
  const before = createdBefore === undefined ? sql`true` : sql`tasks.id < ${firstIdOf(createdBefore)}`
  return (limit, behind) =>
    newestFound(foundTasks, caller, { matching: where, within, limit, behind: sql.all(before, behind) })
}
