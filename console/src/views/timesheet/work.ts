import type { TimeEntry, TimeEntryParts } from '@taskwright/client'
import { apart } from '../../plain-names.ts'

/** What time is spent on: a line of the sheet. */
export interface Work {
  /** `t` or `s` and the id of the task or subtask */
  id: string
  on: { taskId: string } | { subtaskId: string }
  /** of the subtask, where it is one */
  taskId: string
  taskKey: string
  taskName: string
  stepName: string | undefined
  projectId: string
  projectName: string
  color: string | null
}

/** Time with what it was spent on. */
export interface Entry extends TimeEntry {
  work: Work
  tags: readonly { id: string; name: string }[]
}

/** An entry as the list answers it, and what it was spent on. */
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

/** What an entry was spent on, as it is called in the sheet. */
export const workIdOf = ({ taskId, subtaskId }: Pick<TimeEntry, 'taskId' | 'subtaskId'>): string =>
  subtaskId === null ? `t${taskId}` : `s${subtaskId}`

/** How a line is called. */
export const nameOf = ({ taskKey, taskName, stepName }: Work): string =>
  [taskKey, apart(taskName), ...(stepName === undefined ? [] : [`› ${apart(stepName)}`])].join(' ')

/** What changed of tasks, steps and projects, as a change of the lines; undefined for anything else. */
export function changeOfWork(
  noun: string,
  id: string,
  { name, color }: Record<string, unknown>,
): ((work: Work) => Work) | undefined {
  if (typeof name !== 'string') return undefined
  const changes: Record<string, (work: Work) => Work> = {
    task: (work) => (work.taskId === id ? { ...work, taskName: name } : work),
    subtask: (work) => (work.id === `s${id}` ? { ...work, stepName: name } : work),
    project: (work) =>
      work.projectId === id ? { ...work, projectName: name, color: typeof color === 'string' ? color : null } : work,
  }
  return changes[noun]
}
