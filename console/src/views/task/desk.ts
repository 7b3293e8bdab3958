import type { Task } from '@taskwright/client'
import type { Loaded } from '../../live/loaded.ts'
import { isNewer } from '../../live/versions.ts'
import { tw } from '../../session/session.ts'
import { pointers } from './reactions.ts'
import { type OpenTask, readTask } from './reading.ts'
import { isSame, type SaveState, useSaving } from './saving.ts'
import type { Base } from './unsaved-text.ts'

/** The open task, and how it takes in the results of writes. */
export interface Desk {
  task: OpenTask
  loaded: Loaded<OpenTask>
  /** the reason why the user cannot change it, as a sentence; undefined if they can */
  whyNot: string | undefined
}

/** Fields of a task that are edited one by one. */
type Field = 'name' | 'description' | 'typeId' | 'priority' | 'assigneeIds' | 'tagIds' | 'startDate' | 'dueDate'

/** Applies a read or a written task, unless a later version is shown. */
export async function take({ loaded }: Desk, task: Task): Promise<void> {
  const now = loaded.value.peek()
  if (now === undefined || !isNewer(task, now)) return
  // a changed reference has a name that must be read before the next edit
  const isNamed = 'assignees' in task || pointers.every((field) => isSame(task[field], now[field]))
  try {
    const named = isNamed ? task : await readTask(task.id)
    loaded.change((now) => (isNewer(named, now) ? { ...now, ...named } : now))
  } catch {
    loaded.reload()
  }
}

/** How one field of the task is saved. */
export function useField<Name extends Field | 'estimateSeconds'>(desk: Desk, name: Name): SaveState<Task[Name]> {
  const { id } = desk.task
  return useSaving<Task, Task[Name]>({
    id,
    read: () => readTask(id),
    write: (value, ifMatch) => tw().tasks.update(id, { [name]: value }, { ifMatch }),
    valueIn: (task) => task[name],
    take: (task) => take(desk, task),
  })
}

/** The current value of a field, with its version. */
export const baseOf = <Name extends keyof Task>({ task }: Desk, name: Name): Base<Task[Name]> => ({
  ...{ version: task.version, value: task[name] },
})
