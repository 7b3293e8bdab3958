import { differences } from '../events/differences.ts'
import { momentOf, workdays } from './calendar.ts'
import type { Rows } from './rows.ts'
import type { Scale } from './scale.ts'

/** A change of a resource. */
interface Change {
  /** `task.moved` */
  type: string
  /** null: the command line */
  by: string | null
  /** the resource after it, changed at that moment */
  item: { id: string; projectId?: string | null; updatedAt: string }
  /** the resource before it, unless it was created */
  before?: object
}

/** The event log: the latest events, and a count of those before them. */
export interface Events {
  /** whether an event of that moment is still in the log */
  keeps(moment: string): boolean
  tell(change: Change): void
  /** Counts events that the log does not keep. */
  skip(count: number): void
  /** Adds the log in the order of time, and the counter that goes on from there. */
  addTo(rows: Rows): void
}

const dayMs = 86_400_000
const keptDays = 30

// a log of millions would take longer than all the rest
const mostEvents = 20_000
const eventsOf = ({ tasks, entries }: Scale) => 4 * tasks + 2 * entries

/** The log of an organization of this scale: its last 30 days, or as many of them as have 20,000 events. */
export function eventsUntil(nowMs: number, scale: Scale, day: (workday: number) => number): Events {
  const days = Math.max(1, Math.floor(mostEvents / (eventsOf(scale) / workdays)))
  const monthAgo = (Math.floor(nowMs / dayMs) - keptDays + 1) * dayMs
  const from = momentOf(Math.max(monthAgo, day(workdays - days)))
  // as text: objects that live until the end keep the garbage collector busy
  const kept: (Record<string, string | null> & { createdAt: string })[] = []
  let sequence = 0
  const keeps = (moment: string) => moment >= from
  return {
    keeps,
    tell({ type, by: actorId, item, before }) {
      const { id: resourceId, projectId = null, updatedAt: createdAt } = item
      if (!keeps(createdAt)) {
        sequence++
        return
      }
      const changes = before ? JSON.stringify(differences(before, item)) : '{}'
      kept.push({ type, actorId, resourceId, projectId, changes, snapshot: JSON.stringify(item), createdAt })
    },
    skip(count) {
      sequence += count
    },
    addTo(rows) {
      kept.sort((one, other) => (one.createdAt < other.createdAt ? -1 : Number(one.createdAt > other.createdAt)))
      for (const event of kept) rows.add('events', { ...event, sequence: ++sequence, requestId: `seed-${sequence}` })
      rows.add('event_counters', { lastSequence: sequence })
    },
  }
}

/** A row as the API shows it: only the fields of its schema, in their order. */
export const pickFields = <Row extends object>({ shape }: { shape: object }, row: Row): Row =>
  Object.fromEntries(Object.keys(shape).map((field) => [field, row[field as keyof Row]])) as Row
