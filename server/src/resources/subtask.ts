import { z } from 'zod'
import { inProject } from '../access/visibility.ts'
import { refused } from '../contract/errors.ts'
import { Id, Name, resource, Timestamp } from '../contract/fields.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { sql } from '../db/sql.ts'
import { table } from '../db/table.ts'

/** A step of a task. */
export const Subtask = resource(
  'Subtask',
  'A step of a task. After it is finalized, it and its time cannot change until it is reopened.',
  {
    taskId: Id,
    projectId: Id.meta({ description: 'The project of the task.' }),
    name: Name.meta({ examples: ['Buy paint'] }),
    assigneeId: Id.nullable(),
    position: z.int().meta({
      description:
        'The place of the subtask in its task, in ascending order. It can change without a new version, when the ' +
        'server makes room for another one.',
    }),
    finalizedAt: Timestamp.nullable(),
    finalizedBy: Id.nullable(),
  },
)
export type Subtask = z.output<typeof Subtask>

/** The table of subtasks. */
export const storedSubtasks = table('subtasks', Subtask, {
  noun: 'subtask',
  tells: {
    deleted: 'Its time entries are hidden with it, without further events.',
    restored:
      'Everything that was hidden with the subtask is restored, too. Each restored item gets its next version. The ' +
      'updatedAt of these items is the createdAt of this event.',
    moved: 'A subtask was moved to another place in its task.',
    finalized: 'A subtask was finalized. It and its time can no longer change.',
    reopened: 'A finalized subtask was reopened. It and its time can change again.',
  },
  refersTo: { taskId: 'tasks', projectId: 'projects', assigneeId: 'members', finalizedBy: 'members' },
  foundBy: ['name'],
  detachable: { assigneeId: sql`array[subtasks.assignee_id]` },
})

/** A subtask of a task in a project that the caller sees. */
export const subtask = inProject(storedSubtasks)

interface Finality {
  /** absent for a task, which cannot be finalized */
  finalizedAt?: string | null
}

/** @throws 412 when the subtask is finalized: it and its time are frozen until it is reopened */
export function refuseIfFinalized({ finalizedAt }: Finality): void {
  if (finalizedAt)
    throw refused('The subtask is finalized; reopen it before you change it or its time', 'subtask_finalized')
}

/** @throws 412 when the time is on a finalized subtask. Locks the subtask until the change is committed. */
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

/** @throws 412 when a task has a finalized subtask. Locks all subtasks until the change is committed. */
export async function refuseIfAnyFrozen(db: Db, orgId: string, taskId: string): Promise<void> {
  const below = await db.rows<Finality>(sql`
    select finalized_at as "finalizedAt" from subtasks
    where org_id = ${orgId} and task_id = ${taskId} and deleted_at is null order by id for no key update`)
  if (below.every(({ finalizedAt }) => finalizedAt === null)) return
  throw refused('The task has a finalized subtask; reopen the subtask first', 'subtask_finalized')
}
