import { z } from 'zod'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { memberNamed, taskKey } from '../calls/names.ts'
import { below, counted, oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'

/** Adds subtasks to a task. */
export const addSubtasks = tool('add_subtasks', {
  description: 'Add subtasks at the end of a task: all or none.',
  input: {
    task: z.string(),
    names: z.array(z.string().trim().min(1).max(255)).min(1).max(50),
    assignee: z.string().optional(),
  },
  writes: ['POST /bulk', 'POST /tasks/{id}/subtasks'],
  async run(call, { task, names, assignee }) {
    const key = taskKey(task)
    const assigneeId = assignee === undefined ? undefined : (await memberNamed(call, assignee, 'assignee')).id
    return addSubtasksTo(
      call,
      { key },
      names.map((name) => ({ name, ...(assigneeId ? { assigneeId } : {}) })),
    )
  },
})

/** Adds them in one transaction, and says so. */
export async function addSubtasksTo(
  call: Call,
  { key }: Pick<Task, 'key'>,
  subtasks: readonly { name: string; assigneeId?: string }[],
): Promise<string> {
  const writes = subtasks.map((body) => ({ method: 'POST', path: `/tasks/${key}/subtasks`, body }) as const)
  const added = await call.all<Subtask>(writes, { about: `the task ${key}`, step: 'subtasks' })
  return below(
    `Added ${counted(added.length, 'subtask')} to ${key}:`,
    ...added.map(({ name }) => `- ${oneLine(name, 120)}`),
  )
}
