import type { PastEvent } from '../../resources/events/event.ts'
import type { NamedMember } from '../../resources/member.ts'
import type { Call } from './call.ts'
import type { Page } from './names.ts'
import { Refusal } from './refusal.ts'
import { oneLine } from './text.ts'
import { clockIn, durationOf } from './times.ts'

/** Something that happened, and by whom. */
type NamedEvent = Pick<PastEvent, 'type' | 'actor' | 'changes' | 'createdAt'> & { member?: NamedMember | null }

/**
 * What happened, a line for each: `2026-01-31 09:30 Ann Example: task.moved WEB-12 Fix it: stage To do → Doing`.
 * @param subjectOf what it happened to, where the list is about more than one thing
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
    return `${clockIn(zone, createdAt)} ${oneLine(who, 60)}: ${differences.length > 0 ? `${said}: ${differences.join(', ')}` : said}`
  })
}

// what the type of the event, or another field, says
const unsaid = ['position', 'finalizedAt', 'finalizedBy', 'completedAt', 'durationSeconds']

const fieldName = (field: string): string =>
  field === 'workspaceId' ? 'board' : field.replace(/(Id|Ids|Seconds|At)$/, '')

function shown(value: unknown, field: string, names: ReadonlyMap<string, string>, zone: string): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => shown(one, field, names, zone)).join(' + ')
  if (typeof value === 'number' && field.endsWith('Seconds')) return durationOf(value)
  if (typeof value === 'string' && field.endsWith('At')) return clockIn(zone, value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return oneLine(names.get(text) ?? text, 60) || 'none'
}

/** By a field that holds ids, where what they name is read. */
const paths: Record<string, string> = {
  ...{ stageId: '/stages/', workspaceId: '/workspaces/', typeId: '/task-types/', tagIds: '/tags/' },
  ...{ assigneeIds: '/members/', assigneeId: '/members/', finalizedBy: '/members/', memberId: '/members/' },
}

const mostNames = 8

/** The names of what events name by id: of the first of these that are not members, and of all members on one page. */
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
