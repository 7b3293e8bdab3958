import { z } from 'zod'
import type { Event } from '../../resources/events/event.ts'
import type { Task } from '../../resources/task.ts'
import type { Call } from '../calls/call.ts'
import { changeLines } from '../calls/changes.ts'
import { memberNamed, type Page, projectNamed, taskKey } from '../calls/names.ts'
import { below, oneLine } from '../calls/text.ts'
import { clockIn, durationOf, pastMomentIn } from '../calls/times.ts'
import { tool } from '../calls/tool.ts'
import { zoneOf } from '../calls/zone.ts'

const nouns = ['task', 'subtask', 'comment', 'time_entry', 'project', 'member'] as const

/** What happened. */
export const listChanges = tool('list_changes', {
  description: 'List what happened and who did it, oldest first, within the last 30 days.',
  input: {
    since: z.string().default('24h').describe('time, day, or 24h, 7d'),
    project: z.string().optional(),
    member: z.string().optional().describe('who did it'),
    task: z.string().optional(),
    kinds: z.array(z.enum(nouns)).optional(),
    limit: z.int().min(1).max(100).default(30),
    cursor: z.string().optional(),
  },
  async run(call, { since, project, member, task, kinds = nouns, limit, cursor }) {
    const key = task === undefined ? undefined : taskKey(task)
    const zone = await zoneOf(call)
    const [within, who, about] = await Promise.all([
      project === undefined ? undefined : projectNamed(call, project),
      member === undefined ? undefined : memberNamed(call, member),
      key === undefined ? undefined : call.get<Task>(`/tasks/${key}`, { fields: 'id' }, `the task ${key}`),
    ])
    const { data, pagination } = await call.get<Page<Event>>('/events', {
      ...{ projectId: within?.id, actorId: who?.id, resourceId: about?.id, limit, cursor },
      since: cursor === undefined ? pastMomentIn(zone, since, call.now) : undefined,
      type: kinds.map((noun) => `${noun}.*`),
    })
    const keys = await keysOfTasks(call, data)
    const lines = await changeLines(call, data, zone, (event) => subjectOf(event, keys))
    const next = pagination?.nextCursor
    return below(
      `${data.length === 0 ? 'Nothing happened' : 'What happened'} (now ${clockIn(zone, call.now)} ${zone}):`,
      ...lines,
      next && `More: the same with cursor ${next}`,
    )
  },
})

/** What an event shows of what it happened to. */
interface Snapshot {
  key?: string
  name?: string
  taskId?: string | null
  body?: string
  durationSeconds?: number | null
  description?: string | null
}

const snapshotOf = ({ snapshot }: Event): Snapshot => snapshot

/** The keys of the tasks that subtasks, comments and time belong to. */
async function keysOfTasks(call: Call, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(events.flatMap((event) => snapshotOf(event).taskId ?? []))
  if (ids.size === 0) return new Map()
  const { data } = await call.get<Page<Task>>('/tasks', { id: [...ids], limit: 100, fields: 'id,key' })
  return new Map(data.map(({ id, key }) => [id, key]))
}

function subjectOf(event: Event, keys: ReadonlyMap<string, string>): string {
  const { key, name, taskId, body, durationSeconds, description } = snapshotOf(event)
  const texts = [
    key,
    taskId && keys.get(taskId),
    name !== undefined && oneLine(name, 100),
    body !== undefined && JSON.stringify(oneLine(body, 120)),
    typeof durationSeconds === 'number' && durationOf(durationSeconds),
    event.type.startsWith('time_entry.') && description && oneLine(description, 80),
  ]
  return texts.filter(Boolean).join(' ')
}
