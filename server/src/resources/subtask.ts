import { z } from 'zod'
import { inProject } from '../access/visibility.ts'
import { refused } from '../contract/errors.ts'
import { Id, Name, resource, Timestamp } from '../contract/fields.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { sql } from '../db/sql.ts'
import { table } from '../db/table.ts'

/** A step of a task. */
export const Subtask = resource('Subtask', 'A step of a task. Once finalized it is frozen until it is reopened.', {
  taskId: Id,
  projectId: Id.meta({ description: 'The project of its task.' }),
  name: Name.meta({ examples: ['Buy paint'] }),
  assigneeId: Id.nullable(),
  position: z.int().meta({
    description: 'Orders the subtasks of a task, ascending. Changes without a new version when others need room.',
  }),
  finalizedAt: Timestamp.nullable(),
  finalizedBy: Id.nullable(),
})
export type Subtask = z.output<typeof Subtask>

/** The table of subtasks. */
export const storedSubtasks = table('subtasks', Subtask, {
  noun: 'subtask',
  tells: {
    deleted: 'The time on it is hidden with it, and has no events of its own.',
    restored: 'What was hidden with it returns, each under its next version, updated at the createdAt of this event.',
    moved: 'A subtask stands at another place of its task.',
    finalized: 'A subtask was finalized: it and its time are frozen.',
    reopened: 'A subtask that was finalized is open again.',
  },
  refersTo: { taskId: 'tasks', projectId: 'projects', assigneeId: 'members', finalizedBy: 'members' },
  foundBy: ['name'],
  detachable: { assigneeId: sql`array[subtasks.assignee_id]` },
})

/** A subtask of a task in a project that the caller sees. */
export const subtask = inProject(storedSubtasks)

interface Finality {
  /** absent of what cannot be finalized: a task */
  finalizedAt?: string | null
}

/** @throws 412 when the subtask is finalized: it and its time are frozen until it is reopened */
export function refuseIfFinalized({ finalizedAt }: Finality): void {
  if (finalizedAt) throw refused('The subtask is already finalized', 'subtask_finalized')
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
