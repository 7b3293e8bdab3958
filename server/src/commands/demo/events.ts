import { differences } from '../../events/differences.ts'
import { momentOf } from './calendar.ts'
import type { Rows } from './rows.ts'

interface Resource {
  id: string
  projectId?: string | null
  updatedAt: string
}

/** A change of a resource. */
interface Change<Row extends Resource> {
  /** `task.moved` */
  type: string
  /** null: the command line */
  by: string | null
  /** the schema of the resource in the API */
  schema: { shape: object }
  /** the resource after the change; its `updatedAt` is the time of the event */
  row: Row
  /** the resource before the change; absent if the change created it */
  before?: Row
}

/** The event log of an organization. */
export interface Events {
  tell<Row extends Resource>(change: Change<Row>): void
  /** Adds the events in the order of time, and the counter that continues their sequence. */
  addTo(rows: Rows): void
}

/** Creates an event log that leaves out changes before `fromMs`. */
export function eventsFrom(fromMs: number): Events {
  const from = momentOf(fromMs)
  const kept: (Record<string, string | null> & { createdAt: string })[] = []
  return {
    tell({ type, by: actorId, schema, row, before }) {
      const { id: resourceId, projectId = null, updatedAt: createdAt } = row
      if (createdAt < from) return
      const item = pickFields(schema, row)
      const changes = before ? JSON.stringify(differences(pickFields(schema, before), item)) : '{}'
      kept.push({ type, actorId, resourceId, projectId, changes, snapshot: JSON.stringify(item), createdAt })
    },
    addTo(rows) {
      kept.sort((one, other) => (one.createdAt < other.createdAt ? -1 : Number(one.createdAt > other.createdAt)))
      for (const [index, event] of kept.entries())
        rows.add('events', { ...event, sequence: index + 1, requestId: `seed-${index + 1}` })
      rows.add('event_counters', { lastSequence: kept.length })
    },
  }
}

/** Keeps the fields of the schema, in the order of the schema. */
const pickFields = ({ shape }: { shape: object }, row: object): object =>
  Object.fromEntries(Object.keys(shape).map((field) => [field, row[field as keyof typeof row]]))
