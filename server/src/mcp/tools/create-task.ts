import { z } from 'zod'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { boardNamed, boardsOf, projectNamed, stageNamed, stagesOf } from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { editOf, taskFields } from '../calls/task-fields.ts'
import { below, beside, oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'
import { addSubtasksTo } from './subtasks.ts'

/** Creates a task, with its subtasks. */
export const createTask = tool('create_task', {
  description:
    "Create a task, with subtasks if given. Without board or stage it goes first on the project's only board.",
  input: {
    project: z.string(),
    name: z.string(),
    ...taskFields,
    board: z.string().optional(),
    stage: z.string().optional(),
    subtasks: z.array(z.string().trim().min(1).max(255)).max(30).optional(),
  },
  writes: ['POST /tasks', 'POST /bulk', 'POST /tasks/{id}/subtasks'],
  async run(call, { project, name, board, stage, subtasks = [], ...said }) {
    const parent = await projectNamed(call, project)
    const [place, edit] = await Promise.all([placeIn(call, parent.id, board, stage), editOf(call, said)])
    const fields = edit.of({ assigneeIds: [], tagIds: [] })
    const body = { projectId: parent.id, name, ...fields, ...place?.ids }
    const task = await call.post<Task>('/tasks', body, { about: 'what the task names' })
    const created = beside(`Created ${task.key} ${oneLine(task.name, 120)}`, place ? place.name : 'on no board')
    if (subtasks.length === 0) return created
    try {
      return below(
        created,
        await addSubtasksTo(
          call,
          task,
          subtasks.map((name) => ({ name })),
        ),
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal(`${created}. Its subtasks were not added: ${error.message}`, error.code)
    }
  },
})

/** Where a new task goes; undefined: on no board. */
async function placeIn(call: Call, projectId: string, board: string | undefined, stage: string | undefined) {
  const boards = board === undefined ? await boardsOf(call, projectId) : [await boardNamed(call, board, projectId)]
  if (stage !== undefined) {
    const { id, name, workspaceId } = await stageNamed(call, stage, boards)
    return { ids: { workspaceId, stageId: id }, name: oneLine(name, 60) }
  }
  const own = board === undefined ? boards.filter((one) => 'projectId' in one && one.projectId === projectId) : boards
  const [only, ...others] = own
  if (only === undefined || others.length > 0) return undefined
  const [first] = await stagesOf(call, only.id)
  // a board without stages takes no tasks: who named it is to hear so
  if (first === undefined && board === undefined) return undefined
  return { ids: { workspaceId: only.id, stageId: first?.id }, name: oneLine(first?.name ?? '', 60) }
}
