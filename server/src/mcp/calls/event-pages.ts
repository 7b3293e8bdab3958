import type { Event } from '../../resources/events/event.ts'
import type { Call, QueryValues } from './call.ts'
import type { Page } from './names.ts'

/** Events that were read one page after the other. */
interface EventPages {
  events: Event[]
  /** where to read on; undefined when there are no more */
  cursor: string | undefined
}

/**
 * Reads events until there are enough. A page can be empty although more follow, because it looks at a part of the log only.
 * @param most how many events
 * @param pages how many pages at most, of up to 100 events
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
