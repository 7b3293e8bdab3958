import type { Event, EventFilter, EventType } from '@taskwright/client'
import { trashWords } from './trash-words.ts'

/** Resources that the user can restore, in the API's words. Only the operator restores organizations. */
export type Kind = Exclude<RestoredBy<EventType>, 'organization'>
type RestoredBy<Type> = Type extends `${infer Noun}.restored` ? Noun : never

const names: Record<Kind, string> = trashWords.kinds
export const kinds = Object.keys(names) as Kind[]

/** A deleted item that was not restored later. */
export interface TrashItem {
  kind: Kind
  id: string
  /** its last state */
  snapshot: Event['snapshot']
  /** the member who deleted it; null for the operator or the server */
  actorId: string | null
  at: string
  /** the end of its restore period */
  until: string
  sequence: number
}

/** The latest state of an item: deleted or not. */
interface Verdict {
  sequence: number
  deleted: TrashItem | undefined
}

/** The deleted items in the events so far. */
export interface TrashState {
  /** identifies one series of reads */
  reading: symbol
  all: ReadonlyMap<string, Verdict>
  /** events before this sequence are not read yet */
  from: number
  /** the days that were read so far */
  days: number
}

const keptMs = 30 * 86_400_000

// a request takes at most 20 types, so these use one wildcard each
const rare: readonly Kind[] = ['member', 'webhook', 'task_type']
export const types: EventFilter[] = kinds.flatMap((kind): EventFilter[] =>
  rare.includes(kind) ? [`${kind}.*` as EventFilter] : ([`${kind}.deleted`, `${kind}.restored`] as EventFilter[]),
)

/**
 * Applies an event to the items.
 * @returns whether the event is about such an item and newer than its known state
 */
export function takeIn(all: Map<string, Verdict>, event: Event): boolean {
  const [noun = '', what = ''] = event.type.split('.')
  const { snapshot, sequence, createdAt, actor, resource } = event
  const kind = kinds.find((each) => each === noun)
  // erased members cannot be restored
  if (kind === undefined || !['deleted', 'restored', 'erased'].includes(what)) return false
  const until = new Date(Date.parse(createdAt) + keptMs).toISOString()
  const deleted = { kind, id: resource.id, snapshot, actorId: actor.memberId, at: createdAt, until, sequence }
  const key = `${kind} ${resource.id}`
  if ((all.get(key)?.sequence ?? 0) >= sequence) return false
  all.set(key, { sequence, deleted: what === 'deleted' ? deleted : undefined })
  return true
}

/** The deleted items, the latest first. */
export function listed({ all }: TrashState): TrashItem[] {
  const now = new Date().toISOString()
  return [...all.values()]
    .flatMap(({ deleted }) => (deleted && deleted.until > now ? [deleted] : []))
    .toSorted((one, other) => other.sequence - one.sequence)
}

/** Whether older items are all past their restore period. */
export const isAll = ({ days }: TrashState): boolean => days * 86_400_000 >= keptMs
