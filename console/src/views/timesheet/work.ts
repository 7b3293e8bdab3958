import type { TimeEntry, TimeEntryParts } from '@taskwright/client'
import { apart } from '../../plain-names.ts'

/** The task or subtask of a row. */
export interface WorkItem {
  /** `t` or `s` and the id of the task or subtask */
  id: string
  on: { taskId: string } | { subtaskId: string }
  /** for a subtask, the id of its task */
  taskId: string
  taskKey: string
  taskName: string
  stepName: string | undefined
  projectId: string
  projectName: string
  color: string | null
}

/** A time entry with its task or subtask. */
export interface Entry extends TimeEntry {
  work: WorkItem
  tags: readonly { id: string; name: string }[]
}

/** An entry of the list, with its task or subtask. */
export function entryOf(listed: TimeEntry & Pick<TimeEntryParts, 'task' | 'subtask' | 'project' | 'tags'>): Entry {
  const { task, subtask, project, tags, ...entry } = listed
  const { taskId, subtaskId, projectId } = entry
  const work = {
    id: subtaskId === null ? `t${taskId}` : `s${subtaskId}`,
    on: subtaskId === null ? { taskId: taskId ?? '' } : { subtaskId },
    taskId: task?.id ?? '',
    taskKey: task?.key ?? '',
    taskName: task?.name ?? '',
    stepName: subtask?.name,
    projectId,
    projectName: project?.name ?? '',
    color: project?.color ?? null,
  }
  return { ...entry, work, tags: tags.map(({ id, name }) => ({ id, name })) }
}

/** The id of an entry's row. */
export const workIdOf = ({ taskId, subtaskId }: Pick<TimeEntry, 'taskId' | 'subtaskId'>): string =>
  subtaskId === null ? `t${taskId}` : `s${subtaskId}`

/** The name of a row. */
export const nameOf = ({ taskKey, taskName, stepName }: WorkItem): string =>
  [taskKey, apart(taskName), ...(stepName === undefined ? [] : [`› ${apart(stepName)}`])].join(' ')

/** The update of rows that an event of a task, subtask or project needs; undefined for none. */
export function changeOfWork(
  noun: string,
  id: string,
  { name, color }: Record<string, unknown>,
): ((work: WorkItem) => WorkItem) | undefined {
  if (typeof name !== 'string') return undefined
  const changes: Record<string, (work: WorkItem) => WorkItem> = {
    task: (work) => (work.taskId === id ? { ...work, taskName: name } : work),
    subtask: (work) => (work.id === `s${id}` ? { ...work, stepName: name } : work),
    project: (work) =>
      work.projectId === id ? { ...work, projectName: name, color: typeof color === 'string' ? color : null } : work,
  }
  return changes[noun]
}
