import type { Caller } from '../../access/caller.ts'
import type { WantedStream } from '../../operations/streaming.ts'
import { type EventFilters, eventFilter, matchingEvents } from './filters.ts'

interface StreamRequest {
  caller: Caller
  query: EventFilters & { after?: number | undefined }
}

/** What a reader wants of a stream. @param lastEventId where it was cut off; it goes before `after`, with which it began */
export function wantedStream({ caller, query }: StreamRequest, lastEventId: number | undefined): WantedStream {
  const { type, resourceId, projectId, actorId } = query
  return {
    caller,
    after: lastEventId ?? query.after,
    matching: matchingEvents(query),
    matches: eventFilter(query),
    selection: JSON.stringify([type, resourceId, projectId, actorId]),
  }
}
