import { z } from 'zod'
import { normalizeText } from '../../db/normalize-text.ts'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { memberNamed, type Page, taskKey } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { countOf, joinLines, nameInList, oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'

/** Comments on a task. */
export const addComment = tool('add_comment', {
  description: 'Comment on a task, in Markdown.',
  input: { task: z.string(), body: z.string() },
  writes: ['POST /tasks/{id}/comments'],
  async run(call, { task, body }) {
    const key = taskKey(task)
    await call.post(`/tasks/${key}/comments`, { body }, { about: `the task ${key}` })
    return `Commented on ${key}.`
  },
})

/** The task or subtask of a time entry; undefined if no argument names one. */
export async function timeTargetOf(call: Call, task: string | undefined, subtask: string | undefined) {
  if (task === undefined) {
    if (subtask !== undefined) throw new Refusal('task: Give the task of the subtask.')
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

/** The subtasks of a task, in their order. @param key the key of the task */
async function subtasksOf(call: Call, key: string): Promise<Subtask[]> {
  const all: Subtask[] = []
  for (let total = 1; all.length < total; ) {
    const page = { limit: 100, offset: all.length }
    const { data, total: now = 0 } = await call.get<Page<Subtask>>(`/tasks/${key}/subtasks`, page, `the task ${key}`)
    all.push(...data)
    total = data.length === 0 ? 0 : now
  }
  return all
}

/** Finds a subtask by its name, or by the number that read_task shows. @throws Refusal */
function subtaskNamed(written: string, all: readonly Subtask[], argument = 'subtask'): Subtask {
  const text = written.trim()
  const byNumber = /^[1-9]\d{0,2}$/.test(text) ? all[Number(text) - 1] : undefined
  const name = normalizeText(text)
  const exact = all.filter((one) => one.id === text || normalizeText(one.name) === name)
  const like = exact.length > 0 ? exact : all.filter((one) => normalizeText(one.name).includes(name))
  if (byNumber && exact.length === 0) return byNumber
  if (like.length === 1 && like[0]) return like[0]
  const numbered = all.map((one, i) => `${i + 1}. ${nameInList(one.name)}`).slice(0, mostShown)
  const what = like.length > 1 ? 'matches several subtasks. Give its number' : 'matches none of them'
  throw new Refusal(
    `${argument}: ${JSON.stringify(oneLine(text, 60))} ${what}. The subtasks: ${numbered.join(', ') || 'none'}.`,
  )
}

const mostShown = 20

/** Creates subtasks of a task. */
export const addSubtasks = tool('add_subtasks', {
  description: 'Create subtasks at the end of a task: all or none.',
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

/** Creates subtasks in one transaction. @returns the lines of the result */
export async function addSubtasksTo(
  call: Call,
  { key }: Pick<Task, 'key'>,
  subtasks: readonly { name: string; assigneeId?: string }[],
): Promise<string> {
  const writes = subtasks.map((body) => ({ method: 'POST', path: `/tasks/${key}/subtasks`, body }) as const)
  const added = await call.all<Subtask>(writes, { about: `the task ${key}`, step: 'subtasks' })
  return joinLines(
    `Created ${countOf(added.length, 'subtask')} on ${key}:`,
    ...added.map(({ name }) => `- ${oneLine(name, 120)}`),
  )
}

/** Finalizes subtasks, or reopens them. */
export const setSubtasks = tool('set_subtasks', {
  description: 'Finalize subtasks (done; nobody can change them or their time) or reopen them.',
  input: {
    task: z.string(),
    subtasks: z.array(z.string()).min(1).max(50).describe('names, numbers from read_task, or all'),
    state: z.enum(['finalized', 'open']),
  },
  writes: ['POST /bulk', 'POST /subtasks/{id}/finalize', 'POST /subtasks/{id}/reopen'],
  async run(call, { task, subtasks, state }) {
    const key = taskKey(task)
    const all = await subtasksOf(call, key)
    const named = subtasks.includes('all') ? all : subtasks.map((one) => subtaskNamed(one, all, 'subtasks'))
    const isThere = ({ finalizedAt }: { finalizedAt: string | null }) =>
      (finalizedAt !== null) === (state === 'finalized')
    const others = [...new Set(named)].filter((one) => !isThere(one))
    if (others.length > mostWrites) {
      const most = `${others.length} would change, and one call can change ${mostWrites}`
      throw new Refusal(`subtasks: ${most}. Give the numbers of some.`)
    }
    const act = state === 'finalized' ? 'finalize' : 'reopen'
    if (others.length > 0) {
      const writes = others.map(({ id }) => ({ method: 'POST', path: `/subtasks/${id}/${act}` }) as const)
      await call.all(writes, { about: `a subtask of ${key}`, found: others.map(({ id, version }) => [id, version]) })
    }
    const open = all.filter((one) => (others.includes(one) ? state === 'open' : one.finalizedAt === null))
    return joinLines(
      others.length === 0
        ? `Nothing to do: ${named.length === 0 ? `${key} has no subtasks` : `they are already ${state}`}.`
        : `${state === 'finalized' ? 'Finalized' : 'Reopened'}: ${others.map(({ name }) => oneLine(name, 120)).join(', ')}`,
      `${countOf(open.length, 'subtask')} of ${key} left open.${open.length === 0 ? ' To complete the task, call move_task with stage done.' : ''}`,
    )
  },
})

// of a bulk
const mostWrites = 100
