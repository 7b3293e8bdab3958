import type { Event } from '../../resources/events/event.ts'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from './call.ts'
import type { Page } from './names.ts'
import { oneLine } from './text.ts'
import { durationOf } from './times.ts'

/** What an event shows of what it happened to. */
interface Snapshot {
  key?: string
  name?: string
  taskId?: string | null
  subtaskId?: string | null
  body?: string
  durationSeconds?: number | null
  description?: string | null
}

const snapshotOf = ({ snapshot }: Event): Snapshot => snapshot

/** What each event happened to: `WEB-12 Fix it`, or `WEB-12, A step 1h 30m` of time on a subtask. */
export async function subjectsOf(call: Call, events: readonly Event[]): Promise<(event: Event) => string> {
  const [keys, steps] = await Promise.all([keysOfTasks(call, events), namesOfSubtasks(call, events)])
  return (event) => {
    const { key, name, taskId, subtaskId, body, durationSeconds, description } = snapshotOf(event)
    const texts = [
      key,
      taskId && keys.get(taskId),
      subtaskId && steps.get(subtaskId),
      name !== undefined && oneLine(name, 100),
      body !== undefined && JSON.stringify(oneLine(body, 120)),
      typeof durationSeconds === 'number' && durationOf(durationSeconds),
      event.type.startsWith('time_entry.') && description && oneLine(description, 80),
    ]
    return texts.filter(Boolean).join(' ')
  }
}

/** The keys of the tasks that subtasks, comments and time belong to. */
async function keysOfTasks(call: Call, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(events.flatMap((event) => snapshotOf(event).taskId ?? []))]
  if (ids.length === 0) return new Map()
  const { data } = await call.get<Page<Task>>('/tasks', { id: ids.slice(0, 100), limit: 100, fields: 'id,key' })
  return new Map(data.map(({ id, key }) => [id, key]))
}

/** The subtasks that time was recorded on, with the keys of their tasks. */
async function namesOfSubtasks(call: Call, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(events.flatMap((event) => snapshotOf(event).subtaskId ?? []))]
  if (ids.length === 0) return new Map()
  type Step = Subtask & { task: { key: string } | null }
  const { data } = await call.get<Page<Step>>('/subtasks', { id: ids.slice(0, 100), limit: 100, include: 'task' })
  return new Map(data.map(({ id, name, task }) => [id, `${task?.key ?? ''}, ${oneLine(name, 80)}`]))
}
