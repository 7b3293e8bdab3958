import type { NameReader } from '../names/name-reader.ts'
import { called, localTime } from '../output/cells.ts'
import type { Paint } from '../output/colours.ts'
import { inOneLine } from '../output/escape.ts'

/** The displayed parts of an event. */
export interface EventSummary {
  id: string
  sequence: number
  type: string
  createdAt: string
  actor: { memberId: string | null }
  resource: { type: string; id: string }
  changes: Record<string, unknown>
  snapshot: unknown
}

/** An event in one line: time, type, resource, changed fields and actor. */
export async function lineOf(event: EventSummary, reading: NameReader, paint: Paint): Promise<string> {
  const { sequence, type, createdAt, actor, resource, changes } = event
  const snapshot = { id: resource.id, ...(event.snapshot as object | undefined) }
  const { key, name } = snapshot as { key?: string; name?: string }
  const what = key || name ? called(snapshot) : resource.id
  const fields = Object.keys(changes).filter((field) => field !== 'updatedAt')
  const who =
    actor.memberId === null ? undefined : await reading.one(`/members/${actor.memberId}`).catch(() => undefined)
  const parts = [what, fields.length > 0 && `(${fields.join(', ')})`, who && `by ${who.name}`].filter(Boolean).join(' ')
  return `${paint('dim', `${sequence}  ${localTime(createdAt)}`)}  ${paint('cyan', type)}  ${inOneLine(parts)}`
}
