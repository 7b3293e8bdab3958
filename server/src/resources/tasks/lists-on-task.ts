import type { Caller } from '../../access/caller.ts'
import { seesProject } from '../../access/visibility.ts'
import type { Columns, Fields } from '../../db/columns.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { offsetPage } from '../../lists/page.ts'
import { task } from '../task.ts'

interface TaskListRequest {
  db: Db
  caller: Caller
  params: { id: string }
  query: { limit: number; offset: number; fields?: Fields }
}

interface TaskList {
  columns: Columns
  /** tables and a condition: the rows of the task with this id */
  from: (taskId: Sql) => Sql
  order: Sql
}

/** The form of a task's key, which a path accepts in place of the id. */
export const { accepts: taskKey } = task

/**
 * A page of the rows of a task, which the path names by id or key.
 * @throws 404 unless the caller sees the task
 */
export function pageOnTask<Item>({ db, caller, params: { id }, query }: TaskListRequest, { from, ...list }: TaskList) {
  const named = taskKey?.test(id) ? sql`tasks.key = ${id}` : sql`tasks.id = ${id}`
  const seen = sql`(select tasks.id from tasks where tasks.org_id = ${caller.orgId} and ${named}
    and tasks.deleted_at is null and ${seesProject(caller, sql`tasks.project_id`)})`
  return offsetPage<Item>(db, { ...list, from: from(seen), within: sql`exists ${seen}` }, query)
}
