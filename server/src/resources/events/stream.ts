import type { Caller } from '../../access/caller.ts'
import type { Cursors } from '../../lists/cursor.ts'
import type { WantedStream } from '../../operations/streaming.ts'
import { type AskedPosition, positionOf } from './feed.ts'
import { type EventFilters, eventFilter, matchingEvents } from './filters.ts'

interface StreamRequest {
  caller: Caller
  cursors: Cursors
  query: EventFilters & AskedPosition
}

/**
 * What a reader wants of a stream.
 * @param lastEventId where it was cut off; it goes before `cursor` and `after`, with which it began
 */
export function wantedStream({ caller, cursors, query }: StreamRequest, lastEventId: number | undefined): WantedStream {
  const { type, resourceId, projectId, actorId } = query
  return {
    caller,
    after: lastEventId ?? positionOf(caller.orgId, query, cursors),
    matching: matchingEvents(query),
    matches: eventFilter(query),
    selection: JSON.stringify([type, resourceId, projectId, actorId]),
  }
}
