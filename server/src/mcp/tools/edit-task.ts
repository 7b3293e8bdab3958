import { z } from 'zod'
import type { Task } from '../../resources/task.ts'
import { Refusal } from '../calls/refusal.ts'
import { clearable, editOf, taskFields } from '../calls/task-fields.ts'
import { changeEach, tasksToChange, whileUnchanged } from '../calls/task-writes.ts'
import { oneLine } from '../calls/text.ts'
import { tool } from '../calls/tool.ts'

/** Edits the fields of a task, or of several alike. */
export const editTask = tool('edit_task', {
  description:
    'Edit a task, or several alike: only what is given. assignees and tags replace all; "+Ann", "-Ann" add and remove. With version (from read_task): only if nobody changed it since.',
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
      if (version !== undefined && part !== '') throw new Refusal('version: Name one task with it.')
      return version === undefined ? whileUnchanged((step) => attempt(key, part + step)) : attempt(key, '')
    })

    async function attempt(key: string, step: string): Promise<string> {
      const { item: before, etag } = await call.read<Task>(`/tasks/${key}`, `the task ${key}`)
      const emptied = Object.fromEntries(clear.map((argument) => [clearable[argument], null]))
      const wanted: Partial<Task> = { ...(name === undefined ? {} : { name }), ...edit.of(before), ...emptied }
      const differs = (field: string) =>
        JSON.stringify(wanted[field as keyof Task]) !== JSON.stringify(before[field as keyof Task])
      // a key is for who wants to hear the first answer again
      if (!call.isKeyed && !Object.keys(wanted).some(differs)) return `${key} is like that already.`
      const mustMatch = version === undefined ? edit.isRelative : version === before.version
      const ifMatch = mustMatch ? etag : version === undefined ? undefined : `"${version}"`
      const [changed] = await call.all<Task>([{ method: 'PATCH', path: `/tasks/${key}`, body: wanted, ifMatch }], {
        ...{ about: `what ${key} shall name`, step, found: before.version },
      })
      return `Edited ${key} ${oneLine(changed?.name ?? '', 120)} (version ${changed?.version}): ${Object.keys(wanted).filter(differs).map(argumentOf).join(', ')}`
    }
  },
})

const argumentOf = (field: string): string =>
  ({ typeId: 'type', assigneeIds: 'assignees', tagIds: 'tags', estimateSeconds: 'estimate' })[field] ?? field
