import { z } from 'zod'
import { everyone } from '../../access/caller.ts'
import { invalid } from '../../contract/errors.ts'
import { Id, Moment, wholeNumber } from '../../contract/fields.ts'
import { Columns } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { readHead } from '../../events/head.ts'
import { eventColumns } from '../../events/log.ts'
import { cursorPageOf, cursorQuery, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { pageOnTask, taskKey } from '../tasks/lists-on-task.ts'
import { Event, Head, type PastEvent } from './event.ts'
import { feedPage, looksAt, positionOf } from './feed.ts'
import { eventFilters } from './filters.ts'
import { besidePastEvent } from './include.ts'
import { withKeys } from './visibility.ts'

/** Where a reader goes on. */
const after = wholeNumber(0, Number.MAX_SAFE_INTEGER)
  .optional()
  .meta({
    description:
      'Events behind this sequence; default: all that are kept. Who has read to the end goes on from the last one it saw.',
    ...{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  })

const since = Moment.optional().meta({
  description:
    'Begins with what happened at this moment or after it, by the clock of the server that did it, where neither `after` nor ' +
    '`cursor` say where; of no meaning for a stream.',
})

const taskId = Id.optional().meta({
  description:
    'What happened to this task, its subtasks, its comments and the time on them, also if these were deleted since. Not for a stream.',
})

const sort = z
  .enum(['sequence', '-sequence'])
  .optional()
  .meta({ description: '`-sequence` lists the newest first. Default: `sequence`. Not for a stream.' })

export const events = [
  route('GET /events', {
    name: 'events.list',
    summary: 'List what happened, oldest first: what you may see now',
    description:
      'In the last 30 days, or as long as the setting EVENT_RETENTION says. An event appears once its change has taken effect, behind ' +
      'all that are there, so a reader that goes on from the last sequence it saw misses none. ' +
      `A page looks at ${looksAt} events at most: where few of them match, or their texts are long, it holds less than \`limit\`, or ` +
      'nothing; the last page is that without nextCursor. 412 (position_expired) when events that followed on `after` or `cursor` are no longer kept, or ' +
      'when there is no such event yet, as after the database was put back: read ' +
      '/events/head, then the state, then follow from `latest`. Who sees few of all events, or asks for few, goes on from a `latest` ' +
      'that it read before the list, which is further than the last one it saw.\n\n' +
      'With `Accept: text/event-stream` the answer goes on as things happen, as server-sent events: `id` is the sequence, `event` the ' +
      'type, `data` the event as in the list. It begins behind `Last-Event-ID`, or `cursor`, or `after`, or now; `limit` is of no ' +
      'meaning there. A comment comes every 15 s. It ends when the key no longer opens, when the server ends, and when the reader is ' +
      'slow: then go on from the last id. An organization may have 2,000 streams open with each process; 429 (too_many_streams) beyond.',
    roles: everyone,
    query: z.strictObject({ ...eventFilters, taskId, after, since, sort, ...cursorQuery }),
    returns: cursorPageOf(Event),
    refuses: [412],
    handle: feedPage,
    stream({ caller, cursors, query }, lastEventId) {
      const sentence = 'Is for the list, not for a stream'
      if (query.taskId !== undefined) throw invalid({ taskId: [sentence] })
      if (query.sort === '-sequence') throw invalid({ sort: [sentence] })
      const { type, resourceId, projectId, actorId } = query
      // where it was cut off goes before `cursor` and `after`, with which it began
      const after = lastEventId ?? positionOf(caller.orgId, query, cursors)
      return { caller, after, filters: { type, resourceId, projectId, actorId } }
    },
  }),

  route('GET /events/head', {
    name: 'events.getHead',
    summary: 'Read which events there are, from the oldest to the latest',
    description: 'To follow from now on: read this, then the state, then the events `after` latest.',
    roles: everyone,
    returns: Head,
    async handle({ db, caller }) {
      const { oldest, latest } = await readHead(db, caller.orgId)
      return { oldest, latest }
    },
  }),

  route('GET /tasks/{id}/history', {
    name: 'tasks.history.list',
    summary: 'List what happened to a task, newest first',
    description: 'In the last 30 days, or as long as the setting EVENT_RETENTION says.',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery, include: besidePastEvent.include }),
    returns: offsetPageOf(besidePastEvent.Full),
    async handle(asked) {
      const columns = sql`${eventColumns(withKeys(asked.caller))}, events.resource_id as "resourceId"`
      const page = await pageOnTask<PastEvent>(asked, {
        columns: new Columns(() => columns),
        from: (taskId) => sql`events where events.org_id = ${asked.caller.orgId} and events.resource_id = ${taskId}`,
        order: sql`events.sequence desc`,
      })
      return besidePastEvent.inPage(asked, page)
    },
  }),
]
