import type { Caller } from '../../access/caller.ts'
import { unauthorized } from '../../contract/errors.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { logHead, type ReadHead, refuseUnlessReached, standby } from '../../events/head.ts'
import { type EventFilters, shownEvent } from '../../events/log.ts'
import type { Cursors } from '../../lists/cursor.ts'
import type { Event } from './event.ts'
import { matchingEvents } from './filters.ts'
import { type EventReader, eventVisible, withKeys } from './visibility.ts'

type ReadQuery = EventFilters & {
  limit: number
  since?: string | undefined
  taskId?: string | undefined
  sort?: 'sequence' | '-sequence' | undefined
}

type FeedQuery = ReadQuery & PositionQuery

interface FeedRequest {
  db: Db
  caller: Caller
  cursors: Cursors
  query: FeedQuery
}

interface FeedPage {
  data: Event[]
  pagination: { nextCursor: string | null }
}

/** The maximum number of events that one page reads. If few match or are visible, the page ends before it is full. */
export const looksAt = 10_000

/** The maximum size of the events before the last one. Without it, a hundred long texts make a page of 20 MB. */
const mostBytes = 1_048_576

/** An event as JSON, with the fields that its reader may see. */
interface ReadEvent {
  sequence: number
  type: string
  shown: string
}

/** A part of the log that was read. */
export interface ReadPart extends ReadHead {
  events: ReadEvent[]
  /** whether more of the events in this part match */
  more: boolean
  /** the sequence after which the reader began */
  start: number
  /** the bounds of the part: events after `low`, up to `high` */
  low: number
  high: number
}

type Row = Omit<ReadPart, 'events' | 'more'> & ReadEvent & { sequence: number | null; fits: boolean }

/**
 * A page of the log, oldest first unless the query says otherwise. Sequences follow the commits, so a later event
 * always comes after this page.
 * @throws 412 when events after the position are no longer stored, or when the log has not reached it
 */
export async function feedPage({ db, caller, cursors, query }: FeedRequest): Promise<Prerendered<FeedPage>> {
  const { orgId } = caller
  const isDescending = query.sort === '-sequence'
  const after = isDescending ? query.after : positionOf(orgId, query, cursors)
  const before =
    isDescending && query.cursor !== undefined ? cursors.openNumber(orgId, newestFirst, query.cursor) : undefined
  const part = await readEvents(db, caller, query, { after, before, mostBytes })
  if (after !== undefined) refuseUnlessReached(after, part)
  const { events, more, low, high, start, latest } = part
  const unread = isDescending ? low > start && low + 1 : high < latest && high
  const next = more ? events.at(-1)?.sequence : unread
  const nextCursor = next ? cursors.sealNumber(orgId, isDescending ? newestFirst : 'events', next) : null
  const data = events.map(({ shown }) => shown).join(',')
  return new Prerendered(`{"data":[${data}],"pagination":${JSON.stringify({ nextCursor })}}`)
}

/**
 * Reads the events that a reader sees after a position, for the list and for streams.
 * @throws 401 when the organization no longer exists
 */
export async function readEvents(db: Db, reader: EventReader, query: ReadQuery, bounds: Bounds): Promise<ReadPart> {
  const rows = await db.rows<Row>(pageStatement(reader, query, bounds))
  const [first] = rows
  if (first === undefined) throw unauthorized()
  const events = rows.filter(({ fits }) => fits)
  return { ...first, events, more: first.sequence !== null && events.length < rows.length }
}

/** The name of the newest-first list in its cursors. They hold the sequence before which the next page begins. */
const newestFirst = 'events, newest first'

/** The position that a request names. */
interface PositionQuery {
  after?: number | undefined
  cursor?: string | undefined
}

/**
 * The sequence after which the reader continues, if the request names one. A cursor overrides `after`, with which its
 * list began.
 * @throws 422 when the cursor is not of this list
 */
export const positionOf = (orgId: string, { after, cursor }: PositionQuery, cursors: Cursors): number | undefined =>
  cursor === undefined ? after : cursors.openNumber(orgId, 'events', cursor)

interface Bounds {
  /** the page holds events after this sequence */
  after: number | undefined
  /** for newest first: the page holds events before this sequence */
  before?: number | undefined
  /** the maximum size of the events before the last one */
  mostBytes: number
}

/** Sequences have no gaps, so a range of sequences bounds the rows. The events of one resource have their own index. */
function pageStatement(reader: EventReader, query: ReadQuery, { after, before, mostBytes }: Bounds): Sql {
  const { orgId } = reader
  const { limit, since, sort } = query
  const first = since === undefined ? sql`head.oldest - 1` : lastBefore(orgId, since)
  const from = after === undefined ? first : sql`${after}::bigint`
  const isDescending = sort === '-sequence'
  const order = isDescending ? sql`events.sequence desc` : sql`events.sequence`
  const matches = sql.all(
    sql`events.org_id = ${orgId} and events.sequence > (select look.low from look)
      and events.sequence <= (select look.high from look)`,
    ...matchingEvents(query),
    ofSome(orgId, query),
    eventVisible(reader),
  )
  return sql`
    with head as materialized (${logHead(orgId)}),
      start as materialized (select ${from} as after from head),
      look as materialized (${lookedAt(orgId, query, before)})
    select head.oldest, head.latest, ${standby}, start.after as start, look.low, look.high, events.sequence, events.type,
      events.fits, case when events.fits then ${shownEvent(withKeys(reader))} end as shown
    from head cross join start cross join look left join (
      select events.*, row_number() over log <= ${limit} and coalesce(
        sum(octet_length(events.changes::text) + octet_length(events.snapshot::text))
          over (log rows between unbounded preceding and 1 preceding), 0) < ${mostBytes} as fits
      from events where ${matches} window log as (order by ${order})
      order by ${order} limit ${limit + 1}) events on true
    order by ${order}`
}

/**
 * Query: the part of the log that a page reads. Oldest first, it begins at the start. Newest first, it begins at
 * `before` or at the end, and goes back.
 */
function lookedAt(orgId: string, query: ReadQuery, before: number | undefined): Sql {
  const few = ofSome(orgId, query)
  const isDescending = query.sort === '-sequence'
  const end = before === undefined ? sql`head.latest` : sql`least(${before}::bigint - 1, head.latest)`
  const far = few
    ? sql`(select events.sequence from events where events.org_id = ${orgId} and ${few}
        and events.sequence > start.after and events.sequence <= ${end}
        order by events.sequence ${isDescending ? sql`desc` : sql.empty} offset ${looksAt - 1} limit 1)`
    : isDescending
      ? sql`${end} - ${looksAt - 1}`
      : sql`start.after + ${looksAt}`
  // greatest and least ignore null, which means that fewer events are left
  return isDescending
    ? sql`select greatest(start.after, ${far} - 1) as low, ${end} as high from head, start`
    : sql`select start.after as low, least(${far}, ${end}) as high from head, start`
}

/** Condition: the events are of the resource or task in the query. Undefined if the query names none. */
function ofSome(orgId: string, { resourceId, taskId }: ReadQuery): Sql | undefined {
  if (taskId) return ofTask(orgId, taskId)
  return resourceId ? sql`events.resource_id = ${resourceId}` : undefined
}

/**
 * Condition: the event is of a task, its subtasks, its comments, or the time on the task or its subtasks, even if
 * deleted.
 */
const ofTask = (orgId: string, taskId: string): Sql => sql`events.resource_id in (
  select tasks.id from tasks where tasks.org_id = ${orgId} and tasks.id = ${taskId}
  union all select subtasks.id from subtasks where subtasks.org_id = ${orgId} and subtasks.task_id = ${taskId}
  union all select comments.id from comments where comments.org_id = ${orgId} and comments.task_id = ${taskId}
  union all select time_entries.id from time_entries
    where time_entries.org_id = ${orgId} and time_entries.task_id = ${taskId}
  union all select time_entries.id from subtasks
    join time_entries on time_entries.org_id = ${orgId} and time_entries.subtask_id = subtasks.id
    where subtasks.org_id = ${orgId} and subtasks.task_id = ${taskId})`

/**
 * SQL: the sequence of the last event before a date-time, or the one before the first event. This is a binary search:
 * events are in the order of their commits. Their times follow that order, except for the duration of a write.
 */
const lastBefore = (orgId: string, since: string): Sql => sql`(
  with recursive halves (low, high) as (
    select head.oldest - 1, head.latest from head
    union all
    select case when events.created_at < ${since} then events.sequence else halves.low end,
      case when events.created_at < ${since} then halves.high else events.sequence - 1 end
    from halves join events on events.org_id = ${orgId} and events.sequence = (halves.low + halves.high + 1) / 2
    where halves.low < halves.high)
  select max(low) from halves)`
