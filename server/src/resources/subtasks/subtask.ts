import { z } from 'zod'
import { inProject } from '../../access/visibility.ts'
import { Id, Name, resource, Timestamp } from '../../contract/fields.ts'
import { type DetachableFields, type Strip, stripFields } from '../../db/detachments.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'

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

/** The columns of a subtask as the API shows them. */
export const subtaskColumns = sql`subtasks.id, subtasks.task_id as "taskId", subtasks.project_id as "projectId", subtasks.name,
  subtasks.assignee_id as "assigneeId", subtasks.position, subtasks.finalized_at as "finalizedAt",
  subtasks.finalized_by as "finalizedBy", subtasks.version, subtasks.created_at as "createdAt",
  subtasks.updated_at as "updatedAt"`

/** What a subtask may lose. */
export const detachableOfSubtask: DetachableFields = { assigneeId: sql`array[subtasks.assignee_id]` }

/** A subtask without an assignee who is being taken off. */
export const stripSubtask: Strip<Subtask> = stripFields(detachableOfSubtask)

/** The writes of a subtask. */
export const storedSubtasks = table<Subtask>(sql`subtasks`, subtaskColumns, detachableOfSubtask)

/** A subtask of a task in a project that the caller sees. */
export const subtask = inProject<Subtask>(sql`subtasks`, subtaskColumns, { strip: stripSubtask })
