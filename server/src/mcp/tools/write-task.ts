import { z } from 'zod'
import { priorities, type Task } from '../../resources/task.ts'
import { onlySaid } from '../calls/arguments.ts'
import type { Call } from '../calls/call.ts'
import {
  boardNamed,
  boardsOf,
  memberNamed,
  projectNamed,
  stageNamed,
  stagesOf,
  tagNamed,
  typeNamed,
} from '../calls/names.ts'
import { Refusal } from '../calls/refusal.ts'
import { changeEach, retryWhileUnchanged, tasksToChange } from '../calls/task-writes.ts'
import { joinLines, joinWithDots, oneLine } from '../calls/text.ts'
import { clockOf, parseDay, parseDuration } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'
import { addSubtasksTo } from './task-parts.ts'

const day = z.string().optional().describe('2026-01-31, friday, +3d')

/** The arguments that create_task and edit_task share. */
const taskFields = {
  description: z.string().max(50_000).optional().describe('Markdown'),
  type: z.string().optional(),
  priority: z.enum(priorities).optional(),
  assignees: z.array(z.string()).max(20).optional(),
  tags: z.array(z.string()).max(50).optional(),
  startDate: day,
  dueDate: day,
  estimate: z.string().optional(),
}

/** The arguments that edit_task can clear, with their fields. */
const clearable = {
  ...{ description: 'description', type: 'typeId', estimate: 'estimateSeconds' },
  ...{ startDate: 'startDate', dueDate: 'dueDate' },
} as const

type TaskArguments = { [name in keyof typeof taskFields]?: z.output<(typeof taskFields)[name]> }
type Fields = Partial<
  Pick<
    Task,
    'description' | 'typeId' | 'priority' | 'assigneeIds' | 'tagIds' | 'startDate' | 'dueDate' | 'estimateSeconds'
  >
>

/** The changes to the fields of a task. */
interface Edit {
  /** whether the result depends on the current assignees or tags */
  isRelative: boolean
  /** the body of the operation, with only the given fields */
  of(before: Pick<Task, 'assigneeIds' | 'tagIds'>): Fields
}

/** Looks up the names in the arguments. */
async function editOf(
  call: Call,
  { type, assignees, tags, estimate, startDate, dueDate, ...same }: TaskArguments,
): Promise<Edit> {
  const [typeId, assigned, tagged, begins, due] = await Promise.all([
    type === undefined ? undefined : typeNamed(call, type).then(({ id }) => id),
    assignees && idChange('assignees', assignees, (name) => memberNamed(call, name, 'assignees')),
    tags && idChange('tags', tags, (name) => tagNamed(call, name, 'tags')),
    startDate === undefined ? undefined : dayOf(call, 'startDate', startDate),
    dueDate === undefined ? undefined : dayOf(call, 'dueDate', dueDate),
  ])
  const estimateSeconds = estimate === undefined ? undefined : parseDuration(estimate, 'estimate')
  return {
    isRelative: Boolean(assigned?.isRelative || tagged?.isRelative),
    of({ assigneeIds, tagIds }) {
      const lists = { assigneeIds: assigned?.of(assigneeIds), tagIds: tagged?.of(tagIds) }
      return onlySaid({ ...same, startDate: begins, dueDate: due, typeId, ...lists, estimateSeconds })
    },
  }
}

const dayOf = async (call: Call, argument: string, written: string): Promise<string> =>
  parseDay(await clockOf(call), argument, written)

/** Plain names replace the whole list. Names with `+` are added to it, names with `-` are removed. */
async function idChange(
  field: string,
  written: readonly string[],
  find: (name: string) => Promise<{ id: string }>,
): Promise<{ isRelative: boolean; of(before: readonly string[]): string[] }> {
  const marks = written.map((name) => (/^[+-]/.test(name) ? name[0] : ''))
  const isRelative = marks.some((mark) => mark !== '')
  if (isRelative && marks.includes('')) throw new Refusal(`${field}: Write + or - before every name, or before none.`)
  const ids = await Promise.all(written.map(async (name) => (await find(name.replace(/^[+-]\s*/, ''))).id))
  const removed = ids.filter((_, i) => marks[i] === '-')
  const added = ids.filter((_, i) => marks[i] !== '-')
  const of = (before: readonly string[]) =>
    [...new Set([...(isRelative ? before : []), ...added])].filter((id) => !removed.includes(id)).toSorted()
  return { isRelative, of }
}

/** Creates a task, optionally with subtasks. */
export const createTask = tool('create_task', {
  description:
    "Create a task, optionally with subtasks. Without board and stage, it goes to the first stage of the project's board if there is only one board.",
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
    const task = await call.post<Task>('/tasks', body, { about: 'a resource that the task refers to' })
    const created = joinWithDots(`Created ${task.key} ${oneLine(task.name, 120)}`, place ? place.name : 'no board')
    if (subtasks.length === 0) return created
    try {
      return joinLines(
        created,
        await addSubtasksTo(
          call,
          task,
          subtasks.map((name) => ({ name })),
        ),
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal(`${created}. Its subtasks were not created: ${error.message}`, error.code)
    }
  },
})

/** The board and stage of a new task; undefined: on no board. */
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
  // a board without stages accepts no tasks: if the caller named it, let the operation refuse
  if (first === undefined && board === undefined) return undefined
  return { ids: { workspaceId: only.id, stageId: first?.id }, name: oneLine(first?.name ?? '', 60) }
}

/** Updates the fields of one task, or the same fields of several. */
export const editTask = tool('edit_task', {
  description:
    'Update the given fields of one task, or the same fields of several. assignees and tags replace the whole list; "+Ann" adds, "-Ann" removes. With version (from read_task): fails if the task has changed since.',
  input: {
    task: tasksToChange,
    name: z.string().optional(),
    ...taskFields,
    clear: z
      .array(z.enum(Object.keys(clearable) as (keyof typeof clearable)[]))
      .max(5)
      .optional(),
    version: z.int().min(1).max(2_147_483_647).optional(),
  },
  writes: ['POST /bulk', 'PATCH /tasks/{id}'],
  async run(call, { task, version, name, clear = [], ...said }) {
    const edit = await editOf(call, said)
    return changeEach(call, task, (key, part) => {
      if (version !== undefined && part !== '') throw new Refusal('version: Give only one task with it.')
      return version === undefined ? retryWhileUnchanged((step) => attempt(key, part + step)) : attempt(key, '')
    })

    async function attempt(key: string, step: string): Promise<string> {
      const { item: before, etag } = await call.read<Task>(`/tasks/${key}`, `the task ${key}`)
      const emptied = Object.fromEntries(clear.map((argument) => [clearable[argument], null]))
      const wanted: Partial<Task> = { ...(name === undefined ? {} : { name }), ...edit.of(before), ...emptied }
      const differs = (field: string) =>
        JSON.stringify(wanted[field as keyof Task]) !== JSON.stringify(before[field as keyof Task])
      // with an idempotencyKey, always write: the caller wants the first response again
      if (!call.isKeyed && !Object.keys(wanted).some(differs)) return `${key} already has these values.`
      const mustMatch = version === undefined ? edit.isRelative : version === before.version
      const ifMatch = mustMatch ? etag : version === undefined ? undefined : `"${version}"`
      const [changed] = await call.all<Task>([{ method: 'PATCH', path: `/tasks/${key}`, body: wanted, ifMatch }], {
        ...{ about: `a resource that ${key} should refer to`, step, found: before.version },
      })
      return `Edited ${key} ${oneLine(changed?.name ?? '', 120)} (version ${changed?.version}): ${Object.keys(wanted).filter(differs).map(argumentOf).join(', ')}`
    }
  },
})

const argumentOf = (field: string): string =>
  ({ typeId: 'type', assigneeIds: 'assignees', tagIds: 'tags', estimateSeconds: 'estimate' })[field] ?? field
