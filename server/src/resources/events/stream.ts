import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../contract/errors.ts'
import type { Cursors } from '../../lists/cursor.ts'
import type { WantedStream } from '../../operations/streaming.ts'
import { type AskedPosition, positionOf } from './feed.ts'
import { type EventFilters, eventFilter, matchingEvents } from './filters.ts'

interface StreamRequest {
  caller: Caller
  cursors: Cursors
  query: EventFilters & AskedPosition & { taskId?: string | undefined; sort?: string | undefined }
}

/**
 * What a reader wants of a stream.
 * @param lastEventId where it was cut off; it goes before `cursor` and `after`, with which it began
 * @throws 422 for what only the list takes
 */
export function wantedStream({ caller, cursors, query }: StreamRequest, lastEventId: number | undefined): WantedStream {
  const { type, resourceId, projectId, actorId, taskId, sort } = query
  if (taskId !== undefined || sort === '-sequence') {
    const sentence = 'Is for the list, not for a stream'
    throw invalid(taskId === undefined ? { sort: [sentence] } : { taskId: [sentence] })
  }
  return {
    caller,
    after: lastEventId ?? positionOf(caller.orgId, query, cursors),
    matching: matchingEvents(query),
    matches: eventFilter(query),
    selection: JSON.stringify([type, resourceId, projectId, actorId]),
  }
}
