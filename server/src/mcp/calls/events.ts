import type { Event, PastEvent } from '../../resources/events/event.ts'
import type { NamedMember } from '../../resources/member.ts'
import type { Subtask } from '../../resources/subtask.ts'
import type { Task } from '../../resources/task.ts'
import type { Call, QueryValues } from './call.ts'
import type { Page } from './names.ts'
import { Refusal } from './refusal.ts'
import { oneLine } from './text.ts'
import { formatDateTime, formatDuration } from './times.ts'

/** An event with its member. */
type NamedEvent = Pick<PastEvent, 'type' | 'actor' | 'changes' | 'createdAt'> & { member?: NamedMember | null }

/**
 * One line for each event: `2026-01-31 09:30 Ann Example: task.moved WEB-12 Fix it: stage To do → Doing`.
 * @param subjectOf names the resource of an event, for lists about several resources
 */
export async function changeLines<Event extends NamedEvent>(
  call: Call,
  events: readonly Event[],
  zone: string,
  subjectOf: (event: Event) => string = () => '',
): Promise<string[]> {
  const names = await namesIn(call, events)
  return events.map((event) => {
    const { actor, member, createdAt, type, changes } = event
    const who = actor.memberId === null ? 'the server' : (member?.name ?? names.get(actor.memberId) ?? 'somebody')
    const differences = Object.entries(changes)
      .filter(([field]) => !unsaid.includes(field))
      .map(
        ([field, { from, to }]) =>
          `${fieldName(field)} ${shown(from, field, names, zone)} → ${shown(to, field, names, zone)}`,
      )
    const said = [type, subjectOf(event)].filter(Boolean).join(' ')
    return `${formatDateTime(zone, createdAt)} ${oneLine(who, 60)}: ${differences.length > 0 ? `${said}: ${differences.join(', ')}` : said}`
  })
}

// the type of the event, or another field, already says these
const unsaid = ['position', 'finalizedAt', 'finalizedBy', 'completedAt', 'durationSeconds']

const fieldName = (field: string): string =>
  field === 'workspaceId' ? 'board' : field.replace(/(Id|Ids|Seconds|At)$/, '')

function shown(value: unknown, field: string, names: ReadonlyMap<string, string>, zone: string): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => shown(one, field, names, zone)).join(' + ')
  if (typeof value === 'number' && field.endsWith('Seconds')) return formatDuration(value)
  if (typeof value === 'string' && field.endsWith('At')) return formatDateTime(zone, value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return oneLine(names.get(text) ?? text, 60) || 'none'
}

/** By a field that holds ids: the path to read their names. */
const paths: Record<string, string> = {
  ...{ stageId: '/stages/', workspaceId: '/workspaces/', typeId: '/task-types/', tagIds: '/tags/' },
  ...{ assigneeIds: '/members/', assigneeId: '/members/', finalizedBy: '/members/', memberId: '/members/' },
}

const mostNames = 8

/** Names for the ids in events: all members of one page of the list, and the first `mostNames` other ids. */
async function namesIn(call: Call, events: readonly NamedEvent[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, string>()
  for (const { actor, member, changes } of events) {
    if (actor.memberId !== null && !member) wanted.set(actor.memberId, '/members/')
    for (const [field, { from, to }] of Object.entries(changes)) {
      const path = paths[field]
      if (path) for (const id of [from, to].flat()) if (typeof id === 'string') wanted.set(id, path)
    }
  }
  const names = new Map<string, string>()
  if ([...wanted.values()].includes('/members/')) {
    const { data } = await call.get<Page<{ id: string; name: string }>>('/members', { limit: 100, fields: 'id,name' })
    for (const { id, name } of data) names.set(id, name)
  }
  const missing = [...wanted].filter(([id]) => !names.has(id)).slice(0, mostNames)
  await Promise.all(
    missing.map(async ([id, path]) => {
      const found = await call.get<{ name: string }>(path + id, {}).catch(refusedToUndefined)
      names.set(id, found?.name ?? 'a deleted one')
    }),
  )
  return names
}

function refusedToUndefined(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/** The fields of a snapshot that a line can show. */
interface Snapshot {
  key?: string
  name?: string
  taskId?: string | null
  subtaskId?: string | null
  body?: string
  durationSeconds?: number | null
  description?: string | null
}

const snapshotOf = ({ snapshot }: Event): Snapshot => snapshot

/** Names the resource of each event: `WEB-12 Fix it`, or `WEB-12, A step 1h 30m` for time on a subtask. */
export async function subjectsOf(call: Call, events: readonly Event[]): Promise<(event: Event) => string> {
  const taskIds = events.flatMap((event) => snapshotOf(event).taskId ?? [])
  const [keys, steps] = await Promise.all([keysOfTasks(call, taskIds), namesOfSubtasks(call, events)])
  return (event) => {
    const { key, name, taskId, subtaskId, body, durationSeconds, description } = snapshotOf(event)
    const texts = [
      key,
      taskId && keys.get(taskId),
      subtaskId && steps.get(subtaskId),
      name !== undefined && oneLine(name, 100),
      body !== undefined && JSON.stringify(oneLine(body, 120)),
      typeof durationSeconds === 'number' && formatDuration(durationSeconds),
      event.type.startsWith('time_entry.') && description && oneLine(description, 80),
    ]
    return texts.filter(Boolean).join(' ')
  }
}

/** The keys of up to 100 tasks, by their ids. A deleted task has none. */
export async function keysOfTasks(call: Call, taskIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(taskIds)]
  if (ids.length === 0) return new Map()
  const { data } = await call.get<Page<Task>>('/tasks', { id: ids.slice(0, 100), limit: 100, fields: 'id,key' })
  return new Map(data.map(({ id, key }) => [id, key]))
}

/** The subtasks of time entries, with the keys of their tasks. */
async function namesOfSubtasks(call: Call, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(events.flatMap((event) => snapshotOf(event).subtaskId ?? []))]
  if (ids.length === 0) return new Map()
  type Step = Subtask & { task: { key: string } | null }
  const { data } = await call.get<Page<Step>>('/subtasks', { id: ids.slice(0, 100), limit: 100, include: 'task' })
  return new Map(data.map(({ id, name, task }) => [id, `${task?.key ?? ''}, ${oneLine(name, 80)}`]))
}

/** Events from one or more pages. */
interface EventPages {
  events: Event[]
  /** continues the list; undefined at its end */
  cursor: string | undefined
}

/**
 * Reads pages until there are enough events. A page can be empty although more follow, because it covers only a part of the log.
 * @param most the limit of events
 * @param pages the limit of pages, each with up to 100 events
 */
export async function readEvents(
  call: Call,
  query: QueryValues,
  { most, pages, cursor }: { most: number; pages: number; cursor?: string | undefined },
): Promise<EventPages> {
  const events: Event[] = []
  let next = cursor
  for (let page = 0; page < pages && events.length < most; page++) {
    const limit = Math.min(100, most - events.length)
    const { data, pagination } = await call.get<Page<Event>>('/events', { ...query, limit, cursor: next })
    events.push(...data)
    next = pagination?.nextCursor ?? undefined
    if (next === undefined) break
  }
  return { events, cursor: next }
}
