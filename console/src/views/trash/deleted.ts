import type { Event, EventFilter, EventType } from '@taskwright/client'
import { words } from '../../words.ts'

/** What can be brought back, in the words of the API. Organizations are brought back by whoever runs the server. */
export type Kind = Exclude<RestoredBy<EventType>, 'organization'>
type RestoredBy<Type> = Type extends `${infer Noun}.restored` ? Noun : never

const names: Record<Kind, string> = words.trash.kinds
export const kinds = Object.keys(names) as Kind[]

/** Something that was deleted and not restored since. */
export interface Deleted {
  kind: Kind
  id: string
  /** how it was */
  snapshot: Event['snapshot']
  /** who did it; null: the operator, or the server itself */
  actorId: string | null
  at: string
  /** until when it can be brought back */
  until: string
  sequence: number
}

/** What happened to a thing last: it was deleted, or it is no longer. */
interface Verdict {
  sequence: number
  deleted: Deleted | undefined
}

/** What the events tell so far. */
export interface Found {
  /** tells readings from the beginning apart */
  reading: symbol
  all: ReadonlyMap<string, Verdict>
  /** events before this sequence were not read yet */
  from: number
  /** how many days back was read */
  days: number
}

const keptMs = 30 * 86_400_000

// of the rare ones all events, as a question takes 20 types at most
const rare: readonly Kind[] = ['member', 'webhook', 'task_type']
export const types: EventFilter[] = kinds.flatMap((kind): EventFilter[] =>
  rare.includes(kind) ? [`${kind}.*` as EventFilter] : ([`${kind}.deleted`, `${kind}.restored`] as EventFilter[]),
)

/**
 * Takes in what an event says of something that can be brought back.
 * @returns whether it was about that, and nothing later was known
 */
export function takeIn(all: Map<string, Verdict>, event: Event): boolean {
  const [noun = '', what = ''] = event.type.split('.')
  const { snapshot, sequence, createdAt, actor, resource } = event
  const kind = kinds.find((each) => each === noun)
  // who was erased does not come back either
  if (kind === undefined || !['deleted', 'restored', 'erased'].includes(what)) return false
  const until = new Date(Date.parse(createdAt) + keptMs).toISOString()
  const deleted = { kind, id: resource.id, snapshot, actorId: actor.memberId, at: createdAt, until, sequence }
  const key = `${kind} ${resource.id}`
  if ((all.get(key)?.sequence ?? 0) >= sequence) return false
  all.set(key, { sequence, deleted: what === 'deleted' ? deleted : undefined })
  return true
}

/** What is deleted now, the latest first. */
export function listed({ all }: Found): Deleted[] {
  const now = new Date().toISOString()
  return [...all.values()]
    .flatMap(({ deleted }) => (deleted && deleted.until > now ? [deleted] : []))
    .toSorted((one, other) => other.sequence - one.sequence)
}

/** Whether nothing that is further back can be brought back. */
export const isAll = ({ days }: Found): boolean => days * 86_400_000 >= keptMs
