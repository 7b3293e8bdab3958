import type { Caller } from '../../access/caller.ts'
import { seesProject } from '../../access/visibility.ts'
import type { Columns, Fields } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { offsetPage, prerenderedOffsetPage } from '../../lists/page.ts'
import { task } from '../task.ts'

interface TaskListRequest {
  db: Db
  caller: Caller
  params: { id: string }
  query: { limit: number; offset: number; fields?: Fields }
}

interface TaskList {
  /** tables and the condition that selects what belongs to the task with this id */
  from: (taskId: Sql) => Sql
  order: Sql
}

/** What may stand in a path in place of the id of a task: its key. */
export const { accepts: taskKey } = task

/**
 * A page of what belongs to a task, which the path names by id or key.
 * @throws 404 unless the caller sees the task
 */
export function pageOnTask<Item>(request: TaskListRequest, { columns, ...list }: TaskList & { columns: Columns }) {
  return offsetPage<Item>(request.db, { columns, ...listOn(request, list) }, request.query)
}

/** The same of rows that the database shows as the JSON that the client gets. @throws 404 likewise */
export function prerenderedPageOnTask<Item>(
  request: TaskListRequest,
  { prerendered, ...list }: TaskList & { prerendered: Sql },
) {
  return prerenderedOffsetPage<Item>(request.db, { prerendered, ...listOn(request, list) }, request.query)
}

function listOn({ caller, params: { id } }: TaskListRequest, { from, order }: TaskList) {
  const named = taskKey?.test(id) ? sql`tasks.key = ${id}` : sql`tasks.id = ${id}`
  const seen = sql`(select tasks.id from tasks where tasks.org_id = ${caller.orgId} and ${named}
    and tasks.deleted_at is null and ${seesProject(caller, sql`tasks.project_id`)})`
  return { from: from(seen), order, within: sql`exists ${seen}` }
}
