import type { Task } from '../../resources/task.ts'
import type { Call } from './call.ts'
import { taskKey } from './names.ts'
import { Refusal } from './refusal.ts'
import { subtaskNamed, subtasksOf } from './subtasks.ts'
import { oneLine } from './text.ts'

/** What time is recorded on; undefined when nothing is said. */
export async function workedOn(call: Call, task: string | undefined, subtask: string | undefined) {
  if (task === undefined) {
    if (subtask !== undefined) throw new Refusal('task: Say of which task the subtask is.')
    return undefined
  }
  const key = taskKey(task)
  if (subtask !== undefined) {
    const { id, name } = subtaskNamed(subtask, await subtasksOf(call, key))
    return { ids: { subtaskId: id }, name: `${key}, ${oneLine(name, 80)}` }
  }
  const { id, name } = await call.get<Task>(`/tasks/${key}`, { fields: 'id,name' }, `the task ${key}`)
  return { ids: { taskId: id }, name: `${key} ${oneLine(name, 80)}` }
}
