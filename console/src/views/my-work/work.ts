import type { BriefProject, BriefTask, Event, Stage, Subtask, Task } from '@taskwright/client'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { me, tw } from '../../session/session.ts'

const fields = ['id', 'key', 'name', 'priority', 'dueDate', 'projectId', 'stageId'] as const

/** A task that is assigned to me and not completed. */
export type MyTask = Pick<Task, (typeof fields)[number]> & { project: BriefProject | null; stage: Stage | null }

/** A subtask that is assigned to me and not finalized, with the task that it is a step of. */
export type MySubtask = Subtask & { task: BriefTask | null }

/** What I have to do. */
export interface Work {
  tasks: readonly MyTask[]
  subtasks: readonly MySubtask[]
  /** whether there are more than are shown */
  more: boolean
}

const most = 100

/** What is assigned to whoever is signed in, as it is on the server: two calls. */
export function useWork(): Loaded<Work> {
  const mine = me().member.id
  return useLoaded('my-work', read, ({ type, resource, snapshot, changes }: Event, now) => {
    if (ofOthers.test(type)) return 'again'
    if (resource.type !== 'task' && resource.type !== 'subtask') return undefined
    const named = JSON.stringify([snapshot, changes])
    return named.includes(mine) || isShown(now, resource.id) ? 'again' : undefined
  })
}

// names that rows show, where tasks are, and what is seen at all
const ofOthers = /^(?:(?:project|workspace|stage)\.(?!created)|project_member\.)/

const isShown = ({ tasks, subtasks }: Work, id: string) =>
  tasks.some((task) => task.id === id) || subtasks.some((subtask) => subtask.id === id || subtask.taskId === id)

async function read(signal: AbortSignal): Promise<Work> {
  const [tasks, subtasks] = await Promise.all([
    tw().tasks.list(
      { assigneeId: 'me', completed: false, sort: 'dueDate', limit: most, fields, include: ['project', 'stage'] },
      { signal },
    ),
    tw().subtasks.list({ assigneeId: 'me', finalized: false, limit: most, include: ['task'] }, { signal }),
  ])
  return {
    tasks: tasks.data,
    subtasks: subtasks.data,
    more: [tasks, subtasks].some(({ pagination }) => pagination.nextCursor !== null),
  }
}
