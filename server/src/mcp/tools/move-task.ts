import { z } from 'zod'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { boardNamed, boardsOf, stageNamed, taskKey } from '../calls/names.ts'
import { changeEach, retryWhileUnchanged, tasksToChange } from '../calls/task-writes.ts'
import { joinWithDots, oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'

/** Moves one or more tasks on their board, or to another board. */
export const moveTask = tool('move_task', {
  description:
    'Move one or more tasks, in the given order, to a stage or board, or before or after a task. A stage of category done completes them. stage: a name, a category (todo, doing, done: its first stage), or none (removes them from the board).',
  input: {
    task: tasksToChange,
    stage: z.string().optional(),
    board: z.string().optional(),
    before: z.string().optional().describe('task'),
    after: z.string().optional(),
  },
  writes: ['POST /tasks/{id}/move'],
  async run(call, { task, stage, board, before, after }) {
    const [beforeId, afterId] = await Promise.all([idOf(call, 'before', before), idOf(call, 'after', after)])
    // with `after`, each task goes after the previously moved one, so they keep their order
    let previousId = afterId
    return changeEach(call, task, (key, part) => retryWhileUnchanged((step) => attempt(key, part + step)))

    async function attempt(key: string, step: string): Promise<string> {
      const { item: there, etag } = await call.read<Task>(`/tasks/${key}`, `the task ${key}`)
      const { name, ...place } = await placeFor(call, there, stage, board)
      const body = { ...place, ...(beforeId ? { beforeId } : {}), ...(previousId ? { afterId: previousId } : {}) }
      const moved = await call.post<Task>(`/tasks/${key}/move`, body, {
        ...{ about: `the task ${key}, or its new place`, step, found: there.version },
        // without a board, the stage is on the current board of the task, so the task must not have changed
        ifMatch: stage !== undefined && board === undefined ? etag : undefined,
      })
      if (afterId) previousId = moved.id
      return joinWithDots(
        `Moved ${key} ${oneLine(moved.name, 120)}`,
        moved.stageId === null ? 'removed from the board' : name && `to ${oneLine(name, 60)}`,
        moved.completedAt && 'completed',
      )
    }
  },
})

interface Place {
  name?: string
  workspaceId?: string | null
  stageId?: string
}

async function placeFor(
  call: Call,
  { projectId, workspaceId }: Task,
  stage: string | undefined,
  board: string | undefined,
): Promise<Place> {
  if (stage?.trim().toLowerCase() === 'none') return { workspaceId: null }
  if (stage === undefined && board === undefined) return {}
  const boards = board === undefined ? await boardsOf(call, projectId) : [await boardNamed(call, board, projectId)]
  const [only] = boards
  if (stage === undefined) return only ? { workspaceId: only.id, name: only.name } : {}
  const own = board === undefined ? boards.filter(({ id }) => id === workspaceId) : boards
  const { id, name, workspaceId: to } = await stageNamed(call, stage, own.length > 0 ? own : boards)
  return { workspaceId: to, stageId: id, name }
}

async function idOf(call: Call, argument: string, task: string | undefined): Promise<string | undefined> {
  if (task === undefined) return undefined
  const key = taskKey(task, argument)
  return (await call.get<Task>(`/tasks/${key}`, { fields: 'id' }, `the task ${key}`)).id
}
