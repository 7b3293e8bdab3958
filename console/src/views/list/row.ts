import type { Task, TaskParts } from '@taskwright/client'

/** What is read of a task for its row. */
export const fields = [
  ...(['id', 'key', 'name', 'priority', 'dueDate', 'completedAt', 'updatedAt', 'version'] as const),
  ...(['projectId', 'stageId', 'assigneeIds', 'tagIds'] as const),
] as const
/** What is read beside it. */
export const include = ['stage', 'assignees', 'tags'] as const

/** A task as a row shows it. */
export type Row = Pick<Task, (typeof fields)[number]> & Pick<TaskParts, (typeof include)[number]>

/** What was found so far, and where it goes on. */
export interface Found {
  rows: readonly Row[]
  next: string | null
}
