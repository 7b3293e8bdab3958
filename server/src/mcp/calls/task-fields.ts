import { z } from 'zod'
import { priorities, type Task } from '../../resources/task.ts'
import type { Call } from './call.ts'
import { memberNamed, tagNamed, typeNamed } from './names.ts'
import { Refusal } from './refusal.ts'
import { clockOf, dayIn, secondsOf } from './times.ts'

const day = z.string().optional().describe('2026-01-31, friday, +3d')

/** What may be said of a task, in the words of people. */
export const taskFields = {
  description: z.string().max(50_000).optional().describe('Markdown'),
  type: z.string().optional(),
  priority: z.enum(priorities).optional(),
  assignees: z.array(z.string()).max(20).optional(),
  tags: z.array(z.string()).max(50).optional(),
  startDate: day,
  dueDate: day,
  estimate: z.string().optional(),
}

/** What an edit can empty, and the field of it. */
export const clearable = {
  ...{ description: 'description', type: 'typeId', estimate: 'estimateSeconds' },
  ...{ startDate: 'startDate', dueDate: 'dueDate' },
} as const

type Said = { [name in keyof typeof taskFields]?: z.output<(typeof taskFields)[name]> }
type Fields = Partial<
  Pick<
    Task,
    'description' | 'typeId' | 'priority' | 'assigneeIds' | 'tagIds' | 'startDate' | 'dueDate' | 'estimateSeconds'
  >
>

/** What an edit makes of a task's fields. */
interface Edit {
  /** whether the result depends on the assignees or tags that are there */
  isRelative: boolean
  /** the fields as the operations take them: only what was said */
  of(before: Pick<Task, 'assigneeIds' | 'tagIds'>): Fields
}

/** Looks up the names in what was said of a task. */
export async function editOf(
  call: Call,
  { type, assignees, tags, estimate, startDate, dueDate, ...same }: Said,
): Promise<Edit> {
  const [typeId, assigned, tagged, begins, due] = await Promise.all([
    type === undefined ? undefined : typeNamed(call, type).then(({ id }) => id),
    assignees && idChange('assignees', assignees, (name) => memberNamed(call, name, 'assignees')),
    tags && idChange('tags', tags, (name) => tagNamed(call, name, 'tags')),
    startDate === undefined ? undefined : dayOf(call, 'startDate', startDate),
    dueDate === undefined ? undefined : dayOf(call, 'dueDate', dueDate),
  ])
  const estimateSeconds = estimate === undefined ? undefined : secondsOf(estimate, 'estimate')
  return {
    isRelative: Boolean(assigned?.isRelative || tagged?.isRelative),
    of({ assigneeIds, tagIds }) {
      const lists = { assigneeIds: assigned?.of(assigneeIds), tagIds: tagged?.of(tagIds) }
      const fields = Object.entries({ ...same, startDate: begins, dueDate: due, typeId, ...lists, estimateSeconds })
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
    },
  }
}

const dayOf = async (call: Call, argument: string, written: string): Promise<string> =>
  dayIn(await clockOf(call), argument, written)

/** Names stand for all that there shall be; with `+` before each for more, with `-` for less. */
async function idChange(
  field: string,
  written: readonly string[],
  find: (name: string) => Promise<{ id: string }>,
): Promise<{ isRelative: boolean; of(before: readonly string[]): string[] }> {
  const marks = written.map((name) => (/^[+-]/.test(name) ? name[0] : ''))
  const isRelative = marks.some((mark) => mark !== '')
  if (isRelative && marks.includes('')) throw new Refusal(`${field}: Write + or - before each name, or before none.`)
  const ids = await Promise.all(written.map(async (name) => (await find(name.replace(/^[+-]\s*/, ''))).id))
  const removed = ids.filter((_, i) => marks[i] === '-')
  const added = ids.filter((_, i) => marks[i] !== '-')
  const of = (before: readonly string[]) =>
    [...new Set([...(isRelative ? before : []), ...added])].filter((id) => !removed.includes(id)).toSorted()
  return { isRelative, of }
}
