import { tw } from '../../session/session.ts'

const parts = [
  ...(['project', 'workspace', 'stage', 'type', 'assignees', 'tags', 'creator'] as const),
  ...(['subtasks', 'subtaskAssignees', 'trackedSeconds', 'comments'] as const),
] as const

/** Reads a task with all data of the panel in one request. @param id or its key */
export const readTask = async (id: string, signal?: AbortSignal) =>
  await tw().tasks.get(id, { include: parts }, signal ? { signal } : {})

/** The open task with its related resources. */
export type OpenTask = Awaited<ReturnType<typeof readTask>> & {
  /** it was deleted while it was open */
  isDeleted?: true
}

export type OpenComment = OpenTask['comments'][number]
export type OpenSubtask = OpenTask['subtasks'][number]
