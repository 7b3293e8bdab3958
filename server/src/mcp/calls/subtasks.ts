import { normalizeText } from '../../db/normalize-text.ts'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from './call.ts'
import { type Page, taskKey } from './names.ts'
import { Refusal } from './refusal.ts'
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

/** The subtasks of a task, in their order. @param key of the task */
export const subtasksOf = async (call: Call, key: string): Promise<Subtask[]> =>
  (await call.get<Page<Subtask>>(`/tasks/${key}/subtasks`, { limit: 100 }, `the task ${key}`)).data

/** The subtask of a name, or of the number that read_task shows. @throws Refusal */
export function subtaskNamed(written: string, all: readonly Subtask[]): Subtask {
  const text = written.trim()
  const byNumber = /^[1-9]\d{0,2}$/.test(text) ? all[Number(text) - 1] : undefined
  const name = normalizeText(text)
  const exact = all.filter((one) => one.id === text || normalizeText(one.name) === name)
  const like = exact.length > 0 ? exact : all.filter((one) => normalizeText(one.name).includes(name))
  if (byNumber && exact.length === 0) return byNumber
  if (like.length === 1 && like[0]) return like[0]
  const numbered = all.map((one, i) => `${i + 1}. ${oneLine(one.name, 60)}`).slice(0, mostShown)
  const what = like.length > 1 ? 'is ambiguous. Say its number' : 'is none of them'
  throw new Refusal(
    `subtask: ${JSON.stringify(oneLine(text, 60))} ${what}. The subtasks: ${numbered.join(', ') || 'none'}.`,
  )
}

const mostShown = 20
