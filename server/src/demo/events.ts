import { differences } from '../events/differences.ts'
import { momentOf, workdays } from './calendar.ts'
import type { Random } from './random.ts'
import type { Rows } from './rows.ts'
import type { Scale } from './scale.ts'

/** Something that happened to a resource. */
interface Told {
  /** `task.moved` */
  type: string
  /** null: the command line */
  by: string | null
  /** the resource after it, changed at that moment */
  item: { id: string; projectId?: string | null; updatedAt: string }
  /** the resource before it, unless it was created */
  before?: object
}

/** An event as it is stored, but for its place in the log. */
type Kept = Record<'type' | 'resourceId' | 'changes' | 'snapshot' | 'createdAt', string> &
  Record<'actorId' | 'projectId', string | null>

/** The latest of what happened, on its way into the log; all before it is only counted, as if it was removed since. */
export interface Events {
  /** chance for what only the log shows: the rest of a seed stays the same without it */
  random: Random
  /** whether what happens at a moment is still in the log */
  keeps(moment: string): boolean
  tell(told: Told): void
  /** Counts what the log does not keep. */
  skip(count: number): void
  /** Adds all that was told, in the order of time, and the counter that goes on from there. */
  addTo(rows: Rows): void
}

const dayMs = 86_400_000
const keptDays = 30

// of a large organization, whole days at the end of its year: a log of millions would take longer than all the rest
const mostEvents = 20_000
const eventsOf = ({ tasks, entries }: Scale) => 4 * tasks + 2 * entries

/** The log of an organization of this scale: its last 30 days, or as many of them as have 20,000 events. */
export function eventsUntil(
  nowMs: number,
  { scale, day, random }: { scale: Scale; day: (workday: number) => number; random: Random },
): Events {
  const days = Math.max(1, Math.floor(mostEvents / (eventsOf(scale) / workdays)))
  const monthAgo = (Math.floor(nowMs / dayMs) - keptDays + 1) * dayMs
  const from = momentOf(Math.max(monthAgo, day(workdays - days)))
  // as text: objects that live until the end keep the garbage collector busy
  const kept: Kept[] = []
  let skipped = 0
  const keeps = (moment: string) => moment >= from
  return {
    random,
    keeps,
    tell({ type, by: actorId, item, before }) {
      const { id: resourceId, projectId = null, updatedAt: createdAt } = item
      if (!keeps(createdAt)) {
        skipped++
        return
      }
      const changes = before ? JSON.stringify(differences(before, item)) : '{}'
      kept.push({ type, actorId, resourceId, projectId, changes, snapshot: JSON.stringify(item), createdAt })
    },
    skip(count) {
      skipped += count
    },
    addTo(rows) {
      for (const event of kept.sort(byTime)) {
        const sequence = ++skipped
        rows.add('events', { ...event, sequence, requestId: `seed-${sequence}` })
      }
      rows.add('event_counters', { lastSequence: skipped, changedSequence: skipped })
    },
  }
}

const byTime = (one: Kept, other: Kept) =>
  one.createdAt < other.createdAt ? -1 : Number(one.createdAt > other.createdAt)

/** A row as the API shows it: only the fields of its schema, in their order. */
export const shown = <Row extends object>({ shape }: { shape: object }, row: Row): Row =>
  Object.fromEntries(Object.keys(shape).map((field) => [field, row[field as keyof Row]])) as Row
