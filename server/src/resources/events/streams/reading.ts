import type { Caller } from '../../../access/caller.ts'
import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { type LogHead, logHead } from '../../../events/head.ts'
import { type EventTraits, shownEvent, traitColumns } from '../../../events/log.ts'
import type { WantedStream } from '../../../operations/streaming.ts'
import { eventVisible, withKeys } from '../visibility.ts'

/** An event for several readers. */
export interface FollowedEvent extends EventTraits {
  sequence: number
  /** its JSON for who may see with which keys it came about */
  shown: string
  /** its JSON for all others; null when it was not asked for */
  withoutKeys: string | null
}

/** What was read of a log. */
interface Stretch<Event> {
  events: Event[]
  /** how far the log was read */
  until: number
  /** whether more follows */
  more: boolean
}

/**
 * The events that follow on a position, whoever sees them.
 * @param forAll whether they are needed without the ids of keys too
 */
export async function readFollowed(
  db: Db,
  orgId: string,
  after: number,
  forAll: boolean,
): Promise<Stretch<FollowedEvent>> {
  const withoutKeys = forAll ? shownEvent(sql`false`) : sql`null`
  const rows = await db.rows<FollowedEvent & { fits: boolean }>(sql`
    select events.sequence, ${traitColumns}, events.fits, case when events.fits then ${shownEvent(sql`true`)} end as shown,
      case when events.fits then ${withoutKeys} end as "withoutKeys"
    from (${measured(sql`events.org_id = ${orgId} and events.sequence > ${after}`)}) events
    order by events.sequence`)
  const events = rows.filter(({ fits }) => fits)
  return {
    events,
    until: events.at(-1)?.sequence ?? after,
    more: rows.length === mostEvents || events.length < rows.length,
  }
}

/**
 * The events that one reader has missed, as far as it sees them now. The log may have ended before what it missed: then
 * `head` says so.
 */
export async function readMissed(
  db: Db,
  caller: Caller,
  { matching }: WantedStream,
  after: number,
): Promise<Stretch<{ sequence: number; type: string; shown: string }> & { head: LogHead }> {
  const { orgId } = caller
  const wanted = sql.all(
    sql`events.org_id = ${orgId} and events.sequence > ${after} and events.sequence <= ${after + mostLookedAt}`,
    ...matching,
    eventVisible(caller),
  )
  const rows = await db.rows<LogHead & { sequence: number | null; type: string; shown: string; fits: boolean }>(sql`
    with head as materialized (${logHead(orgId)})
    select head.oldest, head.latest, events.sequence, events.type, events.fits,
      case when events.fits then ${shownEvent(withKeys(caller))} end as shown
    from head left join (${measured(wanted)}) events on true
    order by events.sequence`)
  const head = { oldest: rows[0]?.oldest ?? 0, latest: rows[0]?.latest ?? 0 }
  const found = rows.flatMap(({ sequence, ...row }) => (sequence === null ? [] : [{ ...row, sequence }]))
  const events = found.filter(({ fits }) => fits)
  const cut = found.length === mostEvents || events.length < found.length
  const until = cut ? (events.at(-1)?.sequence ?? after) : Math.min(after + mostLookedAt, Math.max(after, head.latest))
  return { head, events, until, more: until < head.latest }
}

/** The rows that one read takes, each with whether it fits beside those before it; the first one does. */
const measured = (condition: Sql) => sql`
  select events.*, coalesce(sum(octet_length(events.changes::text) + octet_length(events.snapshot::text))
    over (order by events.sequence rows between unbounded preceding and 1 preceding), 0) < ${mostBytes} as fits
  from (select events.* from events where ${condition} order by events.sequence limit ${mostEvents}) events`

const mostEvents = 200
const mostBytes = 262_144
const mostLookedAt = 5_000
