import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { matches } from '../../search/condition.ts'
import { idsOfFew } from '../../search/few.ts'
import { idsFound, isWalked } from '../../search/finding.ts'
import { parsed } from '../../search/query.ts'
import type { Wanted } from '../../search/reading.ts'
import { foundTasks, keyForm } from '../task.ts'

/** Condition: what is searched for is found in the task, or is its key. */
export function searchedFor(q: string): Sql {
  return orKey(q, matches(foundTasks, parsed(q), { byIndex: true }))
}

const orKey = (q: string, found: Sql) => {
  const key = keyOf(q)
  return key === undefined ? found : sql`(${found} or tasks.key = ${key})`
}

/** Tasks that match: which, and among which. */
interface Part {
  source?: Sql
  condition: Sql
}

/** Whether no word is asked to be there, so that nothing but a walk past all tasks tells which match. */
export const asksForNone = (q: string): boolean => isWalked(parsed(q))

/** Whether it is one query of words, and not one of several. */
export const isOneQuery = (q: string): boolean => parsed(q).length === 1

/**
 * The same for a list with other filters or in another order, as conditions of which no task fulfils two: where few tasks that
 * the caller may see have the words, these are looked up, and otherwise they are checked one by one. Undefined where nothing
 * but a walk past all of them tells.
 */
export function searchedForEither(
  caller: Caller,
  q: string,
  within: readonly string[] | undefined,
): Part[] | undefined {
  const query = parsed(q)
  if (isWalked(query) || query.length === 0) return undefined
  const few = sql`(${idsOfFew(foundTasks, caller, query, { within, also: withKey(caller, q) })})`
  const found = orKey(q, matches(foundTasks, query))
  // behind a fence, so that nothing but these is looked at
  const source = sql`(
    select * from tasks where tasks.org_id = ${caller.orgId} and tasks.id = any(${few}::uuid[]) offset 0) tasks`
  return [{ source, condition: found }, { condition: sql`${few} is null and (${found}) is true` }]
}

/** What is wanted of the tasks that are found: of each, the columns. */
export type WantedTasks = Omit<Wanted, 'also'> & { columns: Sql }

/**
 * Query of the tasks that the caller sees and finds, newest first; undefined where nothing but a walk past all of them tells.
 */
export function tasksFound(caller: Caller, q: string, { columns, ...wanted }: WantedTasks): Sql | undefined {
  const ids = taskIdsFound(caller, q, wanted)
  return ids && tasksOf(caller, ids, columns)
}

/** Query of `id`: the same tasks. */
export function taskIdsFound(caller: Caller, q: string, wanted: Omit<Wanted, 'also'>): Sql | undefined {
  const query = parsed(q)
  if (isWalked(query)) return undefined
  return idsFound(foundTasks, caller, query, { ...wanted, also: withKey(caller, q) })
}

/**
 * Query of the tasks with these ids, newest first. All are looked up at once: from 17 on PostgreSQL then reads a page of the
 * index once for all that stand in it.
 */
export const tasksOf = ({ orgId }: Caller, ids: Sql, columns: Sql): Sql =>
  sql`select ${columns} from tasks where tasks.org_id = ${orgId} and tasks.id = any(array(${ids})) order by tasks.id desc`

/** Query of `id`: the task that has what is searched for as its key. */
export function withKey({ orgId }: Caller, q: string): Sql | undefined {
  const key = keyOf(q)
  if (key === undefined) return undefined
  return sql`select tasks.id from tasks where tasks.org_id = ${orgId} and tasks.key = ${key} and tasks.deleted_at is null`
}

function keyOf(q: string): string | undefined {
  const key = q.toUpperCase()
  return keyForm.test(key) ? key : undefined
}
