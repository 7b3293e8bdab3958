import { z } from 'zod'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { memberNamed, taskKey } from '../calls/names.ts'
import { subtaskNamed, subtasksOf } from '../calls/subtasks.ts'
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

/** Finalizes subtasks, or reopens them. */
export const setSubtasks = tool('set_subtasks', {
  description: 'Finalize subtasks (done; they and their time are frozen) or reopen them.',
  input: {
    task: z.string(),
    subtasks: z.array(z.string()).min(1).max(50).describe('names, numbers of read_task, or all'),
    state: z.enum(['finalized', 'open']),
  },
  writes: ['POST /bulk', 'POST /subtasks/{id}/finalize', 'POST /subtasks/{id}/reopen'],
  async run(call, { task, subtasks, state }) {
    const key = taskKey(task)
    const all = await subtasksOf(call, key)
    const named = subtasks.includes('all') ? all : subtasks.map((one) => subtaskNamed(one, all))
    const isThere = ({ finalizedAt }: { finalizedAt: string | null }) =>
      (finalizedAt !== null) === (state === 'finalized')
    const others = [...new Set(named)].filter((one) => !isThere(one))
    const act = state === 'finalized' ? 'finalize' : 'reopen'
    if (others.length > 0) {
      const writes = others.map(({ id }) => ({ method: 'POST', path: `/subtasks/${id}/${act}` }) as const)
      await call.all(writes, { about: `a subtask of ${key}`, found: others.map(({ id, version }) => [id, version]) })
    }
    const open = all.filter((one) => (others.includes(one) ? state === 'open' : one.finalizedAt === null))
    return below(
      others.length === 0
        ? `Nothing to do: ${named.length === 0 ? `${key} has no subtasks` : `they are ${state} already`}.`
        : `${state === 'finalized' ? 'Finalized' : 'Reopened'}: ${others.map(({ name }) => oneLine(name, 120)).join(', ')}`,
      `${counted(open.length, 'subtask')} of ${key} left open${open.length === 0 ? '; to close the task: move_task with stage done' : ''}.`,
    )
  },
})
