import type { Db } from '../../db/db.ts'
import { type Strip, stripRow, withDetaching } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { forEachInSteps } from '../../db/steps.ts'
import type { Table } from '../../db/table.ts'
import type { Emit } from '../../events/outbox.ts'
import { storedSubtasks } from '../subtask.ts'
import { storedTasks } from '../task.ts'
import { storedEntries } from '../time-entry.ts'

/** What other rows refer to and are detached from when it is deleted. */
export type DetachableKind = 'tag' | 'task_type' | 'member'

/** By kind, what tells that it came off a row. */
export interface Telling {
  tag: 'task.updated' | 'time_entry.updated'
  task_type: 'task.updated'
  member: 'task.updated' | 'subtask.updated'
}

/** Rows that refer to something: by a column, or by an array of ids beside which a table joins the two. */
interface Referrer<Type extends string = string> {
  /** what tells of it */
  type: Type
  table: Sql
  columns: Sql
  strip: Strip<object>
  /** what it belongs to and is deleted with: tables, by the columns that name their rows */
  above: readonly [table: Sql, column: Sql][]
  column: Sql
  /** how the column is shown */
  field: string
  joined?: { by: Sql; row: Sql; to: Sql }
}

const losing = <Type extends string, Item extends object>(
  type: Type,
  { table, columns, strip }: Table<Item> & { strip: Strip<Item> },
  above: readonly [table: Sql, column: Sql][] = [],
) => ({ ...{ type, table, columns, above, strip: strip as unknown as Strip<object> } })
const task = losing('task.updated', storedTasks)
const subtask = losing('subtask.updated', storedSubtasks, [[sql`tasks`, sql`task_id`]])
const timeEntry = losing('time_entry.updated', storedEntries, [
  [sql`tasks`, sql`task_id`],
  [sql`subtasks`, sql`subtask_id`],
])
const tagged = (by: Sql, row: Sql) => ({
  column: sql`tag_ids`,
  field: 'tagIds',
  joined: { by, row, to: sql`tag_id` },
})

// in the order in which edits lock them
const referrers: { [kind in DetachableKind]: readonly Referrer<Telling[kind]>[] } = {
  tag: [
    { ...task, ...tagged(sql`task_tags`, sql`task_id`) },
    { ...timeEntry, ...tagged(sql`time_entry_tags`, sql`time_entry_id`) },
  ],
  task_type: [{ ...task, column: sql`type_id`, field: 'typeId' }],
  member: [
    {
      ...task,
      column: sql`assignee_ids`,
      field: 'assigneeIds',
      joined: { by: sql`task_assignees`, row: sql`task_id`, to: sql`member_id` },
    },
    { ...subtask, column: sql`assignee_id`, field: 'assigneeId' },
  ],
}

/** Whether others refer to what events call so, and are left without it when it is deleted. */
export const isDetachable = (noun: string): noun is DetachableKind => noun in referrers

/** Something that was deleted. */
export interface Detached<Of extends DetachableKind = DetachableKind> {
  orgId: string
  kind: Of
  id: string
}

/** How many rows refer to it, deleted ones included; at most `most + 1` is returned. */
export async function countReferrers(db: Db, detached: Detached, most: number): Promise<number> {
  const counts = referrers[detached.kind].map(
    (referrer) => sql`(select count(*)::int from (${idsOf(referrer, detached, most + 1)}) borne)`,
  )
  const row = await db.row<{ count: number }>(sql`select ${sql.join(counts, ' + ')} as count`)
  return Math.min(row?.count ?? 0, most + 1)
}

/**
 * Detaches something from rows that refer to it, with an event for each: also where a row is hidden with what it belongs to, and
 * returns with that. What was deleted by itself tells how it is when it is restored.
 * @param most rows
 * @returns how many it came off; fewer than `most` when none is left
 */
export async function detachRows<Of extends DetachableKind>(
  { db, emit, now }: { db: Db; emit: Emit<Telling[Of]>; now: string },
  detached: Detached<Of>,
  most: number,
): Promise<number> {
  let left = most
  for (const referrer of referrers[detached.kind]) {
    if (left > 0) left -= await detachRowsOf({ db, emit, now }, referrer, detached, left)
  }
  return most - left
}

async function detachRowsOf<Type extends string>(
  { db, emit, now }: { db: Db; emit: Emit<Type>; now: string },
  referrer: Referrer<Type>,
  detached: Detached,
  most: number,
): Promise<number> {
  const { orgId, id } = detached
  const { type, table, columns, strip, above, column, field, joined } = referrer
  // these rows first, then those of the joining table: the order in which edits lock them
  const held = await db.rows<{ id: string }>(sql`
    select id from ${table} where org_id = ${orgId} and id = any(array(${idsOf(referrer, detached, most)}))
    order by id for no key update`)
  if (held.length === 0) return 0
  const ids = held.map((row) => row.id)
  if (joined) {
    const { by, row, to } = joined
    await db.rows(sql`delete from ${by} where org_id = ${orgId} and ${to} = ${id} and ${row} = any(${ids})`)
  }
  const hidden = above.map(
    ([parent, parentId]) => sql`or exists (
      select from ${parent} above where above.org_id = ${orgId} and above.id = ${table}.${parentId}
        and above.deleted_at = ${table}.deleted_at)`,
  )
  const changed = await db.rows<{ id: string; told: boolean }>(sql`
    update ${table} set ${column} = ${joined ? sql`array_remove(${column}, ${id})` : sql`null`},
      version = version + 1, updated_at = greatest(updated_at, ${now})
    where org_id = ${orgId} and id = any(${ids}) and ${joined ? sql`${id} = any(${column})` : sql`${column} = ${id}`}
    returning ${columns}, deleted_at is null ${sql.join(hidden, ' ')} as told
      ${withDetaching(orgId)}`)
  const inOrder = changed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await forEachInSteps(orgId, inOrder, (row) => {
    const { told, ...after } = stripRow(row, strip as Strip<typeof row>)
    if (told) emit(type, after, { before: { ...after, [field]: withIt(after, field, id) } })
  })
  return held.length
}

/** The ids of rows that refer to it. */
function idsOf({ table, column, joined }: Referrer, { orgId, id }: Detached, most: number): Sql {
  const [from, row, named] = joined ? [joined.by, joined.row, joined.to] : [table, sql`id`, column]
  return sql`select ${row} as id from ${from} where org_id = ${orgId} and ${named} = ${id} limit ${most}`
}

function withIt(after: object, field: string, id: string): unknown {
  const left = (after as Record<string, unknown>)[field]
  return Array.isArray(left) ? [...left, id].toSorted() : id
}
