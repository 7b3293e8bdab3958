import { z } from 'zod'
import { taskKey } from '../calls/names.ts'
import { subtaskNamed, subtasksOf } from '../calls/subtasks.ts'
import { below, counted, oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'

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
