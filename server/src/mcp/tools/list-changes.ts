import { z } from 'zod'
import type { Event } from '../../resources/events/event.ts'
import type { Task } from '../../resources/task.ts'
import { changeLines, readEvents, subjectsOf } from '../calls/events.ts'
import { memberNamed, projectNamed, taskKey } from '../calls/names.ts'
import { joinLines } from '../calls/text.ts'
import { clockOf, formatDateTime, parseDateTime } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'

const nouns = ['task', 'subtask', 'comment', 'time_entry', 'project', 'member'] as const

/** Lists events. */
export const listChanges = tool('list_changes', {
  description:
    'List changes and their authors in the last 30 days, newest first, with a count per kind. With task: also changes of its subtasks, comments and time.',
  input: {
    since: z.string().default('24h').describe('time, day, monday, 24h, -7d'),
    project: z.string().optional(),
    member: z.string().optional().describe('author of the changes'),
    task: z.string().optional(),
    kinds: z.array(z.enum(nouns)).optional(),
    order: z.enum(['newest', 'oldest']).default('newest'),
    limit: z.int().min(1).max(100).default(30),
    cursor: z.string().optional(),
  },
  async run(call, { since, project, member, task, kinds = nouns, order, limit, cursor }) {
    const key = task === undefined ? undefined : taskKey(task)
    const clock = await clockOf(call)
    const { zone } = clock
    const [within, who, about] = await Promise.all([
      project === undefined ? undefined : projectNamed(call, project),
      member === undefined ? undefined : memberNamed(call, member),
      key === undefined ? undefined : call.get<Task>(`/tasks/${key}`, { fields: 'id' }, `the task ${key}`),
    ])
    const query = {
      ...{ projectId: within?.id, actorId: who?.id, taskId: about?.id },
      sort: order === 'newest' ? '-sequence' : 'sequence',
      // in ascending order, the cursor alone says where to continue
      since: cursor === undefined || order === 'newest' ? parseDateTime(clock, 'since', since) : undefined,
      type: kinds.map((noun) => `${noun}.*`),
    }
    const page = await readEvents(call, query, { most: limit, pages: mostPages, cursor })
    // the counts below the first page cover the following events too
    const rest =
      cursor === undefined && page.cursor !== undefined && page.events.length > 0
        ? await readEvents(call, query, { most: mostPages * 100, pages: mostPages, cursor: page.cursor })
        : { events: [], cursor: page.cursor }
    const subjectOf = await subjectsOf(call, page.events)
    const lines = await changeLines(call, page.events, zone, subjectOf)
    const now = `(now ${formatDateTime(zone, call.now)} ${zone})`
    const nothing = page.cursor === undefined ? 'No changes' : 'No changes in the events searched so far'
    return joinLines(
      `${lines.length === 0 ? nothing : 'Changes'} ${now}:`,
      ...lines,
      cursor === undefined && lines.length > 0 && sumOf([...page.events, ...rest.events], rest.cursor !== undefined),
      page.cursor && `More results: repeat the call with cursor ${page.cursor}`,
    )
  },
})

const mostPages = 3

/** `In total: 12 task.updated, 3 comment.created` */
function sumOf(events: readonly Event[], goesOn: boolean): string {
  const counts = new Map<string, number>()
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return `${goesOn ? 'At least' : 'In total'}: ${sorted.map(([type, count]) => `${count} ${type}`).join(', ')}`
}
