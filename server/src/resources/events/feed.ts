import type { Caller } from '../../access/caller.ts'
import { unauthorized } from '../../contract/errors.ts'
import { Prerendered } from '../../contract/prerendered.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { logHead, type ReadHead, refuseUnlessReached, standby } from '../../events/head.ts'
import { shownEvent } from '../../events/log.ts'
import type { Cursors } from '../../lists/cursor.ts'
import type { Event } from './event.ts'
import { type EventFilters, matchingEvents } from './filters.ts'
import { eventVisible, withKeys } from './visibility.ts'

interface FeedRequest {
  db: Db
  caller: Caller
  cursors: Cursors
  query: EventFilters & AskedPosition & { limit: number; since?: string | undefined }
}

interface FeedPage {
  data: Event[]
  pagination: { nextCursor: string | null }
}

/** How many events one page looks at, at most: where few of them match, or are visible, it ends before it is full. */
export const looksAt = 10_000

/** How long its events may be before the last one: a hundred long texts are a page of 20 MB. */
const mostBytes = 1_048_576

interface Row extends ReadHead {
  /** whether more than the page holds matches, of what was looked at */
  more: boolean
  /** the events of the page, joined by commas */
  data: string | null
  /** the last of them */
  last: number | null
  /** how far the log was looked at */
  until: number
}

/**
 * A page of the log, oldest first. As sequences follow on the commits, whatever appears later stands behind it.
 * @throws 412 when what follows on the position is not kept any more, or when it is not reached yet
 */
export async function feedPage({ db, caller, cursors, query }: FeedRequest): Promise<Prerendered<FeedPage>> {
  const { orgId } = caller
  const after = positionOf(orgId, query, cursors)
  const row = await db.row<Row>(pageStatement(caller, query, after))
  // the organization is gone since its reader was let in
  if (row === undefined) throw unauthorized()
  if (after !== undefined) refuseUnlessReached(after, row)
  const readUntil = row.more ? row.last : row.until < row.latest ? row.until : null
  const nextCursor = readUntil === null ? null : cursors.sealNumber(orgId, 'events', readUntil)
  return new Prerendered(`{"data":[${row.data ?? ''}],"pagination":${JSON.stringify({ nextCursor })}}`)
}

/** How a reader says where it goes on. */
export interface AskedPosition {
  after?: number | undefined
  cursor?: string | undefined
}

/**
 * Behind which sequence a reader goes on, if it says so: a cursor goes before `after`, with which its list began.
 * @throws 422 when it is no cursor of this list
 */
export const positionOf = (orgId: string, { after, cursor }: AskedPosition, cursors: Cursors): number | undefined =>
  cursor === undefined ? after : cursors.openNumber(orgId, 'events', cursor)

/**
 * As there are no gaps, so many sequences are so many rows. What happened to one resource has an index of its own.
 */
function pageStatement(caller: Caller, query: FeedRequest['query'], after: number | undefined): Sql {
  const { orgId } = caller
  const { limit, resourceId, since } = query
  const first = since === undefined ? sql`head.oldest - 1` : lastBefore(orgId, since)
  const from = after === undefined ? first : sql`${after}::bigint`
  const until = resourceId
    ? sql`coalesce((
        select events.sequence from events where events.org_id = ${orgId} and events.resource_id = ${resourceId}
          and events.sequence > start.after order by events.sequence offset ${looksAt - 1} limit 1), head.latest)`
    : sql`least(start.after + ${looksAt}, head.latest)`
  const matches = sql.all(
    sql`events.org_id = ${orgId} and events.sequence > (select look.after from look)
      and events.sequence <= (select look.until from look)`,
    ...matchingEvents(query),
    eventVisible(caller),
  )
  return sql`
    with head as materialized (${logHead(orgId)}),
      start as materialized (select ${from} as after from head),
      look as materialized (select start.after, ${until} as until from head, start)
    select head.oldest, head.latest, ${standby}, look.until, page.* from head, look, (
      select count(*) filter (where not events.fits) > 0 as more, max(events.sequence) filter (where events.fits) as last,
        string_agg(${shownEvent(withKeys(caller))}, ',' order by events.sequence) filter (where events.fits) as data
      from (
        select events.*, row_number() over log <= ${limit} and coalesce(
          sum(octet_length(events.changes::text) + octet_length(events.snapshot::text))
            over (log rows between unbounded preceding and 1 preceding), 0) < ${mostBytes} as fits
        from events where ${matches} window log as (order by events.sequence) order by events.sequence limit ${limit + 1}) events) page`
}

/**
 * The sequence of the last event before a moment, or that before the first: looked for by halves, as the events stand in the
 * order of their commits, which is that of their moments but for as long as a write takes.
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
