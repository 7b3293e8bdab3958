import { type EventRights, seesEvent, seesKeys } from '../visibility.ts'
import type { EventStream } from './event-stream.ts'
import type { FollowedEvent } from './reading.ts'

/** What a reader is sent of some events. */
interface Batch {
  bytes: Buffer | undefined
  count: number
}

/** An event as lines of a stream. Its JSON holds no line break. */
export const linesOf = ({ sequence, type }: { sequence: number; type: string }, json: string): string =>
  `id: ${sequence}\nevent: ${type}\ndata: ${json}\n\n`

/**
 * Makes what each reader is sent of the same events. Readers who are sent the same share its bytes; readers with the same
 * rights who want the same share the work of finding that out.
 */
export class Batches {
  readonly #events: readonly FollowedEvent[]
  readonly #byAudience = new Map<string, Batch | undefined>()
  readonly #byContent = new Map<string, Batch>()

  constructor(events: readonly FollowedEvent[]) {
    this.#events = events
  }

  /** @returns undefined when the events were read without what this reader is shown */
  for(stream: EventStream, rights: EventRights): Batch | undefined {
    const { position, wanted } = stream
    const first = this.#events.findIndex(({ sequence }) => sequence > position)
    const audience = `${first} ${rights.leads ? '' : rights.memberId} ${wanted.selection}`
    if (!this.#byAudience.has(audience)) this.#byAudience.set(audience, this.#batch(first, stream, rights))
    return this.#byAudience.get(audience)
  }

  #batch(first: number, { wanted }: EventStream, rights: EventRights): Batch | undefined {
    const chosen: [index: number, withKeys: boolean][] = []
    for (const [i, event] of this.#events.entries()) {
      if (first < 0 || i < first || !wanted.matches(event) || !seesEvent(rights, event)) continue
      const withKeys = seesKeys(rights, event)
      if (!withKeys && event.withoutKeys === null) return undefined
      chosen.push([i, withKeys])
    }
    const content = chosen.join(' ')
    const known = this.#byContent.get(content)
    if (known) return known
    const batch = { bytes: this.#bytes(chosen), count: chosen.length }
    this.#byContent.set(content, batch)
    return batch
  }

  #bytes(chosen: readonly [index: number, withKeys: boolean][]): Buffer | undefined {
    if (chosen.length === 0) return undefined
    const lines = chosen.map(([i, withKeys]) => {
      const event = this.#events[i]
      return event === undefined ? '' : linesOf(event, (withKeys ? event.shown : event.withoutKeys) ?? '')
    })
    return Buffer.from(lines.join(''))
  }
}
