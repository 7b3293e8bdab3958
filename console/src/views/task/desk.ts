import type { Task } from '@taskwright/client'
import type { Loaded } from '../../live/loaded.ts'
import { isNewer } from '../../live/versions.ts'
import { tw } from '../../session/session.ts'
import { pointers } from './reactions.ts'
import { type OpenTask, readTask } from './reading.ts'
import { isSame, type Saving, useSaving } from './saving.ts'
import type { Base } from './typed.ts'

/** The task that is open, and how what is written of it comes into what is shown. */
export interface Desk {
  task: OpenTask
  loaded: Loaded<OpenTask>
  /** why one may not change it, as a sentence; undefined when one may */
  whyNot: string | undefined
}

/** Fields of a task that are edited one by one. */
type Field = 'name' | 'description' | 'typeId' | 'priority' | 'assigneeIds' | 'tagIds' | 'startDate' | 'dueDate'

/** Takes over what was read or written, unless something later is shown already. */
export async function take({ loaded }: Desk, task: Task): Promise<void> {
  const now = loaded.value.peek()
  if (now === undefined || !isNewer(task, now)) return
  // what it points to now has a name that has to be read, before it is edited again
  const isNamed = 'assignees' in task || pointers.every((field) => isSame(task[field], now[field]))
  try {
    const named = isNamed ? task : await readTask(task.id)
    loaded.change((now) => (isNewer(named, now) ? { ...now, ...named } : now))
  } catch {
    loaded.reload()
  }
}

/** How one field of the task is saved. */
export function useField<Name extends Field | 'estimateSeconds'>(desk: Desk, name: Name): Saving<Task[Name]> {
  const { id } = desk.task
  return useSaving<Task, Task[Name]>({
    id,
    read: () => readTask(id),
    write: (value, ifMatch) => tw().tasks.update(id, { [name]: value }, { ifMatch }),
    valueIn: (task) => task[name],
    take: (task) => take(desk, task),
  })
}

/** A field as it is shown. */
export const baseOf = <Name extends keyof Task>({ task }: Desk, name: Name): Base<Task[Name]> => ({
  ...{ version: task.version, value: task[name] },
})
