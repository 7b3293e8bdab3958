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
import { pastEventIncludes } from './include.ts'
import { withKeys } from './visibility.ts'

const after = wholeNumber(0, Number.MAX_SAFE_INTEGER)
  .optional()
  .meta({
    description:
      'Returns events after this sequence. Default: all stored events. To continue later, send the sequence of the ' +
      'last event that you received.',
    ...{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  })

const since = Moment.optional().meta({
  description:
    'Starts with the events at or after this date-time, by the clock of the server that made the change. Ignored ' +
    'with `after` or `cursor`, and for a stream.',
})

const taskId = Id.optional().meta({
  description:
    'Only events of this task, its subtasks, its comments and the time entries on them, even if these were ' +
    'deleted. Not for a stream.',
})

const sort = z.enum(['sequence', '-sequence']).optional().meta({
  description:
    '`sequence` lists the oldest events first, `-sequence` the newest. Default: `sequence`. Not for a stream.',
})

export const events = [
  route('GET /events', {
    name: 'events.list',
    summary: 'List events',
    description:
      'Returns the events that you can see now, oldest first. They are stored for 30 days, or as long as the setting ' +
      'EVENT_RETENTION says.\n\n' +
      'An event appears when its change has taken effect, after all earlier events. So you miss none if you continue from the ' +
      `last sequence that you received. A page reads at most ${looksAt} events. It can hold fewer than \`limit\`, or none, if few ` +
      'of them match or their texts are long. The last page is the one without `nextCursor`.\n\n' +
      'The response is 412 (position_expired) if events after `after` or `cursor` are no longer stored. It is also 412 if the ' +
      'log has not reached that event, for example after a restore of the database. Then read /events/head, then the current ' +
      'state, and follow from `latest`. If you see or request only a few of the events, read `latest` before the list and ' +
      'continue from there: it is further than the last event that you received.\n\n' +
      'With `Accept: text/event-stream` the response is a stream of server-sent events. `id` is the sequence, `event` the ' +
      'type, and `data` the event as in the list. The stream starts after `Last-Event-ID`, `cursor` or `after`, or with the ' +
      'next event if you send none of them. It ignores `limit`. The server sends a comment every 15 s. The stream ends when ' +
      'the key stops working, when the server stops, or when you read too slowly: then continue from the last id. An ' +
      'organization can have 2,000 open streams per server process; more are refused with 429 (too_many_streams).',
    roles: everyone,
    query: z.strictObject({ ...eventFilters, taskId, after, since, sort, ...cursorQuery }),
    returns: cursorPageOf(Event),
    refuses: [412],
    handle: feedPage,
    stream({ caller, cursors, query }, lastEventId) {
      const sentence = 'Is not supported for a stream'
      if (query.taskId !== undefined) throw invalid({ taskId: [sentence] })
      if (query.sort === '-sequence') throw invalid({ sort: [sentence] })
      const { type, resourceId, projectId, actorId } = query
      // a stream that reconnects resumes from Last-Event-ID, not from the `cursor` or `after` with which it began
      const after = lastEventId ?? positionOf(caller.orgId, query, cursors)
      return { caller, after, filters: { type, resourceId, projectId, actorId } }
    },
  }),

  route('GET /events/head', {
    name: 'events.getHead',
    summary: 'Get the head of the event log',
    description:
      'Returns the oldest and the latest sequence. To follow events from now on, read this first, then the current ' +
      'state, then the events after `latest`.',
    roles: everyone,
    returns: Head,
    async handle({ db, caller }) {
      const { oldest, latest } = await readHead(db, caller.orgId)
      return { oldest, latest }
    },
  }),

  route('GET /tasks/{id}/history', {
    name: 'tasks.history.list',
    summary: 'List the history of a task',
    description: 'Newest first. Events are stored for 30 days, or as long as the setting EVENT_RETENTION says.',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery, include: pastEventIncludes.include }),
    returns: offsetPageOf(pastEventIncludes.Full),
    async handle(asked) {
      const columns = sql`${eventColumns(withKeys(asked.caller))}, events.resource_id as "resourceId"`
      const page = await pageOnTask<PastEvent>(asked, {
        columns: new Columns(() => columns),
        from: (taskId) => sql`events where events.org_id = ${asked.caller.orgId} and events.resource_id = ${taskId}`,
        order: sql`events.sequence desc`,
      })
      return pastEventIncludes.inPage(asked, page)
    },
  }),
]
