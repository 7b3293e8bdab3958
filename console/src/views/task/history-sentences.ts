import { signal } from '@preact/signals'
import type { FullPastEvent } from '@taskwright/client'
import { useEffect } from 'preact/hooks'
import { dayText, durationText } from '../../parts/format.ts'
import { useNames } from '../../parts/names.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { OpenTask } from './reading.ts'

const { history } = words.task.told

/** The sentences of an event, to follow the actor's name. */
export function sentencesOf({ type, changes }: FullPastEvent, nameOf: (field: string, id: string) => string): string[] {
  const happened = type.split('.')[1] ?? ''
  if (happened === 'created' || happened === 'deleted' || happened === 'restored') return [history[happened]]
  const told = Object.entries(changes)
    .filter(([field]) => field in words.task.told.fields)
    .map(([field, { from, to, shortened }]) => {
      const cut = shortened ? ` (${history.shortened})` : ''
      return changeOf(field, from, to, (value) => textOf(field, value, nameOf)) + cut
    })
  return told.length > 0 ? told : [happened === 'moved' ? history.moved : history.edited]
}

function changeOf(field: string, from: unknown, to: unknown, text: (value: unknown) => string): string {
  const named = words.task.told.fields[field as keyof typeof words.task.told.fields]
  if (Array.isArray(to)) {
    const before = Array.isArray(from) ? from : []
    const [added, removed] = [to.filter((id) => !before.includes(id)), before.filter((id) => !to.includes(id))]
    return [
      ...(added.length > 0 ? [history.added(named, added.map(text).join(', '))] : []),
      ...(removed.length > 0 ? [history.removed(named, removed.map(text).join(', '))] : []),
    ].join('; ')
  }
  if (to === null || to === '') return history.cleared(named, isEmpty(from) ? undefined : text(from))
  return isEmpty(from) ? history.set(named, text(to)) : history.changed(named, text(from), text(to))
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

const pointing = ['assigneeIds', 'tagIds', 'typeId', 'stageId', 'workspaceId'] as const

function textOf(field: string, value: unknown, nameOf: (field: string, id: string) => string): string {
  if (typeof value === 'string' && pointing.some((pointer) => pointer === field)) return nameOf(field, value)
  if (typeof value === 'number' && field === 'estimateSeconds') return durationText(value)
  if (typeof value === 'string' && (field === 'dueDate' || field === 'startDate')) return dayText(value)
  if (typeof value === 'string' && field === 'priority' && value in words.board.priorities)
    return words.board.priorities[value as keyof typeof words.board.priorities]
  return `“${String(value)}”`
}

/** Names that were read for the history, by id: tags, types, stages and boards. */
const found = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

const readers: Record<string, (id: string) => PromiseLike<{ name: string }>> = {
  tagIds: (id) => tw().tags.get(id, { fields: ['name'] }),
  typeId: (id) => tw().taskTypes.get(id, { fields: ['name'] }),
  stageId: (id) => tw().stages.get(id, { fields: ['name'] }),
  workspaceId: (id) => tw().workspaces.get(id, { fields: ['name'] }),
}

/** The known names of the ids in these events; it reads missing names. */
export function useTold(events: readonly FullPastEvent[], task: OpenTask): (field: string, id: string) => string {
  const wanted = events.flatMap(({ changes }) =>
    pointing.flatMap((field) =>
      [changes[field]?.from, changes[field]?.to]
        .flat()
        .flatMap((id) => (typeof id === 'string' ? [{ field, id }] : [])),
    ),
  )
  const { tags, type, stage, workspace, assignees } = task
  const known = new Map(
    [...tags, ...assignees, ...[type, stage, workspace].flatMap((one) => one ?? [])].map(({ id, name }) => [id, name]),
  )
  const memberNamed = useNames(wanted.flatMap(({ field, id }) => (field === 'assigneeIds' ? [id] : [])))
  const missing = wanted.filter(({ field, id }) => field !== 'assigneeIds' && !known.has(id))
  useEffect(() => {
    for (const { field, id } of missing) void learn(field, id)
  }, [missing.map(({ id }) => id).join()])
  return (field, id) =>
    `“${known.get(id) ?? found.value.get(id) ?? (field === 'assigneeIds' ? memberNamed(id) : undefined) ?? history.gone}”`
}

async function learn(field: string, id: string): Promise<void> {
  if (asked.has(id)) return
  asked.add(id)
  try {
    const thing = await readers[field]?.(id)
    if (thing) found.value = new Map(found.value).set(id, thing.name)
  } catch {
    // it is deleted or hidden
  }
}
