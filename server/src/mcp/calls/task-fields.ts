import { z } from 'zod'
import { priorities, type Task } from '../../resources/task.ts'
import type { Call } from './call.ts'
import { memberNamed, tagNamed, typeNamed } from './names.ts'
import { Refusal } from './refusal.ts'
import { secondsOf } from './times.ts'

const day = z.string().nullable().optional()

/** What may be said of a task, in the words of people. */
export const taskFields = {
  description: z.string().max(50_000).nullable().optional().describe('Markdown'),
  type: z.string().nullable().optional(),
  priority: z.enum(priorities).optional(),
  assignees: z.array(z.string()).max(20).optional(),
  tags: z.array(z.string()).max(50).optional(),
  startDate: day,
  dueDate: day,
  estimate: z.string().nullable().optional(),
}

type Said = { [name in keyof typeof taskFields]?: z.output<(typeof taskFields)[name]> }
type Fields = Partial<
  Pick<
    Task,
    'description' | 'typeId' | 'priority' | 'assigneeIds' | 'tagIds' | 'startDate' | 'dueDate' | 'estimateSeconds'
  >
>

/**
 * The same as the operations take it: only what was said.
 * @param before whose assignees and tags `+` and `-` change
 */
export async function fieldsOf(
  call: Call,
  { type, assignees, tags, estimate, ...same }: Said,
  before: Pick<Task, 'assigneeIds' | 'tagIds'> = { assigneeIds: [], tagIds: [] },
): Promise<Fields> {
  const [typeId, assigneeIds, tagIds] = await Promise.all([
    type ? typeNamed(call, type).then(({ id }) => id) : type,
    assignees && idsOf('assignees', assignees, before.assigneeIds, (name) => memberNamed(call, name)),
    tags && idsOf('tags', tags, before.tagIds, (name) => tagNamed(call, name)),
  ])
  const estimateSeconds = estimate ? secondsOf(estimate, 'estimate') : estimate
  return Object.fromEntries(
    Object.entries({ ...same, typeId, assigneeIds, tagIds, estimateSeconds }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** Names stand for all that there shall be; with `+` before each for more, with `-` for less. */
async function idsOf(
  field: string,
  written: readonly string[],
  before: readonly string[],
  find: (name: string) => Promise<{ id: string }>,
): Promise<string[]> {
  const marks = written.map((name) => (/^[+-]/.test(name) ? name[0] : ''))
  const changes = marks.some((mark) => mark !== '')
  if (changes && marks.includes('')) throw new Refusal(`${field}: Write + or - before each name, or before none.`)
  const ids = await Promise.all(written.map(async (name) => (await find(name.replace(/^[+-]\s*/, ''))).id))
  const removed = ids.filter((_, i) => marks[i] === '-')
  const added = ids.filter((_, i) => marks[i] !== '-')
  return [...new Set([...(changes ? before : []), ...added])].filter((id) => !removed.includes(id)).toSorted()
}
