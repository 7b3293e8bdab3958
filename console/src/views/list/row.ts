import type { Task, TaskParts } from '@taskwright/client'

/** The fields of a task in a row. */
export const fields = [
  ...(['id', 'key', 'name', 'priority', 'dueDate', 'completedAt', 'updatedAt', 'version'] as const),
  ...(['projectId', 'stageId', 'assigneeIds', 'tagIds'] as const),
] as const
/** The included resources. */
export const include = ['stage', 'assignees', 'tags'] as const

/** A task as in a row. */
export type Row = Pick<Task, (typeof fields)[number]> & Pick<TaskParts, (typeof include)[number]>

/** The loaded rows and the cursor of the next page. */
export interface ListState {
  rows: readonly Row[]
  next: string | null
}
