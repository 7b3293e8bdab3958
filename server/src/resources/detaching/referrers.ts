import type { Db } from '../../db/db.ts'
import { type Strip, stripRow, withDetaching } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { forEachInSteps } from '../../db/steps.ts'
import type { Table } from '../../db/table.ts'
import type { Emit } from '../../events/outbox.ts'
import { storedSubtasks } from '../subtask.ts'
import { storedTasks } from '../task.ts'
import { storedEntries } from '../time-entry.ts'

/** A resource that is detached from other rows when it is deleted. */
export type DetachableKind = 'tag' | 'task_type' | 'member'

/** The events that report a detachment, by kind. */
export interface DetachEvents {
  tag: 'task.updated' | 'time_entry.updated'
  task_type: 'task.updated'
  member: 'task.updated' | 'subtask.updated'
}

/** Rows that refer to a resource: by a column, or by an array of ids with a joining table. */
interface Referrer<Type extends string = string> {
  /** the event that reports the detachment */
  type: Type
  table: Sql
  columns: Sql
  strip: Strip<object>
  /** the tables of its parents, and its columns with their ids; it is deleted with them */
  above: readonly [table: Sql, column: Sql][]
  column: Sql
  /** the name of the column in the API */
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
const referrers: { [kind in DetachableKind]: readonly Referrer<DetachEvents[kind]>[] } = {
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

/** Whether other rows are detached from a resource with this event noun when it is deleted. */
export const isDetachable = (noun: string): noun is DetachableKind => noun in referrers

/** A deleted resource. */
export interface DetachedItem<Of extends DetachableKind = DetachableKind> {
  orgId: string
  kind: Of
  id: string
}

/** How many rows refer to a resource, deleted rows included. Returns at most `most + 1`. */
export async function countReferrers(db: Db, detached: DetachedItem, most: number): Promise<number> {
  const counts = referrers[detached.kind].map(
    (referrer) => sql`(select count(*)::int from (${idsOf(referrer, detached, most + 1)}) borne)`,
  )
  const row = await db.row<{ count: number }>(sql`select ${sql.join(counts, ' + ')} as count`)
  return Math.min(row?.count ?? 0, most + 1)
}

/**
 * Detaches a resource from rows that refer to it, with an event for each. A row that is hidden with a deleted parent
 * also gets an event, because it returns with the parent. A row that was deleted by itself gets none: its restore event
 * shows its state.
 * @param most rows
 * @returns how many rows it detached; fewer than `most` when none is left
 */
export async function detachRows<Of extends DetachableKind>(
  { db, emit, now }: { db: Db; emit: Emit<DetachEvents[Of]>; now: string },
  detached: DetachedItem<Of>,
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
  detached: DetachedItem,
  most: number,
): Promise<number> {
  const { orgId, id } = detached
  const { type, table, columns, strip, above, column, field, joined } = referrer
  // lock these rows before those of the joining table, as edits do
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

/** Query: the ids of rows that refer to a resource. */
function idsOf({ table, column, joined }: Referrer, { orgId, id }: DetachedItem, most: number): Sql {
  const [from, row, named] = joined ? [joined.by, joined.row, joined.to] : [table, sql`id`, column]
  return sql`select ${row} as id from ${from} where org_id = ${orgId} and ${named} = ${id} limit ${most}`
}

function withIt(after: object, field: string, id: string): unknown {
  const left = (after as Record<string, unknown>)[field]
  return Array.isArray(left) ? [...left, id].toSorted() : id
}
