import type { BriefProject, BriefTask, Event, Stage, Subtask, Task } from '@taskwright/client'
import { type Loaded, useLoaded } from '../../live/loaded.ts'
import { me, tw } from '../../session/session.ts'

const fields = ['id', 'key', 'name', 'priority', 'dueDate', 'projectId', 'stageId'] as const

/** An open task that is assigned to the user. */
export type MyTask = Pick<Task, (typeof fields)[number]> & { project: BriefProject | null; stage: Stage | null }

/** An open subtask that is assigned to the user, with its task. */
export type MySubtask = Subtask & { task: BriefTask | null }

/** The open work of the user. */
export interface PersonalWork {
  tasks: readonly MyTask[]
  subtasks: readonly MySubtask[]
  /** cursors of the next pages */
  next: { tasks: string | null; subtasks: string | null }
}

const most = 100

/** The work assigned to the signed-in member, kept current. It takes two requests. */
export function useWork(): Loaded<PersonalWork> {
  const mine = me().member.id
  const work: Loaded<PersonalWork> = useLoaded<PersonalWork>(
    'my-work',
    (signal) => read(work.value.peek(), signal),
    ({ type, resource, snapshot, changes }: Event, now) => {
      if (ofOthers.test(type)) return 'again'
      if (resource.type !== 'task' && resource.type !== 'subtask') return undefined
      const named = JSON.stringify([snapshot, changes])
      return named.includes(mine) || isShown(now, resource.id) ? 'again' : undefined
    },
  )
  return work
}

// these change names in rows, the place of tasks, or which tasks are visible
const ofOthers = /^(?:(?:project|workspace|stage)\.(?!created)|project_member\.)/

const isShown = ({ tasks, subtasks }: PersonalWork, id: string) =>
  tasks.some((task) => task.id === id) || subtasks.some((subtask) => subtask.id === id || subtask.taskId === id)

/** Reads the work, at least as much as before. */
async function read(shown: PersonalWork | undefined, signal: AbortSignal): Promise<PersonalWork> {
  const [tasks, subtasks] = await Promise.all([
    readTo(shown?.tasks.length ?? 0, (cursor) => readTasks(cursor, signal)),
    readTo(shown?.subtasks.length ?? 0, (cursor) => readSubtasks(cursor, signal)),
  ])
  return { tasks: tasks.data, subtasks: subtasks.data, next: { tasks: tasks.next, subtasks: subtasks.next } }
}

/** Reads the next pages. @returns adds them to the work, unless it was read again meanwhile */
export async function readOn(
  { next }: PersonalWork,
  signal: AbortSignal,
): Promise<(now: PersonalWork) => PersonalWork> {
  const nothing = { data: [], next: null }
  const [tasks, subtasks] = await Promise.all([
    next.tasks === null ? nothing : readTasks(next.tasks, signal),
    next.subtasks === null ? nothing : readSubtasks(next.subtasks, signal),
  ])
  return (now) =>
    now.next !== next
      ? now
      : {
          tasks: [...now.tasks, ...tasks.data],
          subtasks: [...now.subtasks, ...subtasks.data],
          next: { tasks: tasks.next, subtasks: subtasks.next },
        }
}

interface Page<T> {
  data: readonly T[]
  /** cursor of the next page; null at the end */
  next: string | null
}

async function readTo<T>(count: number, page: (cursor: string | undefined) => Promise<Page<T>>): Promise<Page<T>> {
  let { data, next } = await page(undefined)
  while (next !== null && data.length < count) {
    const more = await page(next)
    data = [...data, ...more.data]
    next = more.next
  }
  return { data, next }
}

async function readTasks(cursor: string | undefined, signal: AbortSignal): Promise<Page<MyTask>> {
  const query = { assigneeId: 'me', completed: false, sort: 'dueDate', limit: most, fields } as const
  const include = ['project', 'stage'] as const
  const { data, pagination } = await tw().tasks.list({ ...query, include, ...(cursor && { cursor }) }, { signal })
  return { data, next: pagination.nextCursor }
}

async function readSubtasks(cursor: string | undefined, signal: AbortSignal): Promise<Page<MySubtask>> {
  const query = { assigneeId: 'me', finalized: false, limit: most, include: ['task'] } as const
  const { data, pagination } = await tw().subtasks.list({ ...query, ...(cursor && { cursor }) }, { signal })
  return { data, next: pagination.nextCursor }
}
