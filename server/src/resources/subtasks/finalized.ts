import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { refuseIfFinalized } from './rules.ts'

interface Finality {
  finalizedAt: string | null
}

/** @throws 412 when time is on a finalized subtask, which is held as it is until the change is committed */
export async function refuseIfFrozen(db: Db, orgId: string, subtaskId: string | null): Promise<void> {
  if (subtaskId === null) return
  refuseIfFinalized(
    expected(
      await db.row<Finality>(sql`
        select finalized_at as "finalizedAt" from subtasks
        where org_id = ${orgId} and id = ${subtaskId} and deleted_at is null for share`),
      'The subtask of time that is there',
    ),
  )
}

/** @throws 412 when a task has a finalized subtask; all of them are held as they are until the change is committed */
export async function refuseIfAnyFrozen(db: Db, orgId: string, taskId: string): Promise<void> {
  const below = await db.rows<Finality>(sql`
    select finalized_at as "finalizedAt" from subtasks
    where org_id = ${orgId} and task_id = ${taskId} and deleted_at is null order by id for no key update`)
  if (below.every(({ finalizedAt }) => finalizedAt === null)) return
  throw refused('The task has a finalized subtask; reopen that first', 'subtask_finalized')
}
