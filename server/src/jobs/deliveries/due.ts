import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { logHead } from '../../events/head.ts'
import { eventId, shownEvent } from '../../events/log.ts'
import type { SealedSecrets } from '../../resources/webhooks/signing-secrets.ts'
import { maySend, wantsEvent } from '../../resources/webhooks/webhook.ts'

/** A webhook with something to do. */
export interface DueWebhook {
  orgId: string
  id: string
  /** whether its last attempt failed */
  failing: boolean
  /** time of the next event that it wants; null: it is due for another reason */
  wantedAt: string | null
}

interface DueFilter {
  /** absent: all organizations */
  orgIds?: readonly string[]
  /** A webhook is also due if it has this many events to read and wants none: its position must move past them. */
  leastUnwanted: number
}

/** Finds the webhooks with something to do. */
export function dueWebhooks(db: Db, now: Date, { orgIds, leastUnwanted }: DueFilter): Promise<DueWebhook[]> {
  const at = now.toISOString()
  const among = orgIds ? sql`and webhooks.org_id = any(${orgIds}::uuid[])` : sql.empty
  // limit 1 makes PostgreSQL probe each webhook separately: one of them may have very many deliveries
  return db.rows<DueWebhook>(sql`
    select webhooks.org_id as "orgId", webhooks.id, webhooks.failing_since is not null as failing,
      wanted.created_at as "wantedAt"
    from webhooks
    join event_counters on event_counters.org_id = webhooks.org_id
    left join lateral (
      select true as is_due from deliveries
      where deliveries.org_id = webhooks.org_id and deliveries.webhook_id = webhooks.id
        and deliveries.next_attempt_at <= ${at} limit 1) repeated on true
    left join lateral (
      select events.created_at from events
      where events.org_id = webhooks.org_id and events.sequence > webhooks.position
        and events.sequence <= webhooks.position + ${mostLookedAt} and ${wantsEvent}
      order by events.sequence limit 1) wanted on true
    where ${maySend} ${among}
      and (repeated.is_due or (webhooks.retry_at is null or webhooks.retry_at <= ${at})
        and (wanted.created_at is not null or webhooks.position > event_counters.last_sequence
          or event_counters.last_sequence - webhooks.position >= ${leastUnwanted}))`)
}

/** A webhook as it is right before a request to it, and the event to send. */
export interface NextDelivery extends SealedSecrets {
  version: number
  url: string
  position: number
  failures: number
  failingSince: string | null
  /** whether the webhook gets no new events for now */
  onBreak: boolean
  /** sequence of the oldest event that is kept */
  oldest: number
  /** sequence up to which the log was searched for an event that it wants */
  searchedTo: number
  /** the delivery to repeat, which comes before new events; null: none */
  deliveryId: string | null
  deliveryVersion: number | null
  attemptCount: number
  /** the event of that delivery, or else the next event that it wants; null: there is none, or it has expired */
  sequence: number | null
  eventId: string | null
  eventType: string | null
  /** the event as the receiver gets it */
  body: string | null
}

/** @returns undefined if the webhook must not be sent anything */
export function readNext(
  db: Db,
  { orgId, id }: Pick<NextDelivery, 'orgId' | 'id'>,
  now: Date,
): Promise<NextDelivery | undefined> {
  const at = now.toISOString()
  const start = sql`greatest(webhooks.position, head.oldest - 1)`
  // materialized: an index finds the few pending rows, but the order alone would read all delivered ones
  return db.row<NextDelivery>(sql`
    with pending as materialized (
      select deliveries.id, deliveries.version, deliveries.sequence, deliveries.attempt_count from deliveries
      where deliveries.org_id = ${orgId} and deliveries.webhook_id = ${id} and deliveries.next_attempt_at <= ${at})
    select webhooks.org_id as "orgId", webhooks.id, webhooks.version, webhooks.url, webhooks.position, webhooks.failures,
      webhooks.failing_since as "failingSince", coalesce(webhooks.retry_at > ${at}, false) as "onBreak",
      webhooks.secret, webhooks.former_secret as "formerSecret", webhooks.former_secret_until as "formerSecretUntil",
      head.oldest, least(${start} + ${mostLookedAt}, head.latest) as "searchedTo",
      due.id as "deliveryId", due.version as "deliveryVersion", coalesce(due.attempt_count, 0) as "attemptCount",
      events.sequence, events.type as "eventType",
      case when events.sequence is not null then ${eventId} end as "eventId",
      case when events.sequence is not null then ${shownEvent(sql`true`)} end as body
    from webhooks
    join (${logHead(orgId)}) head on true
    left join (select * from pending order by sequence limit 1) due on true
    left join lateral (
      select events.sequence from events
      where events.org_id = ${orgId} and events.sequence > ${start} and events.sequence <= ${start} + ${mostLookedAt}
        and (webhooks.retry_at is null or webhooks.retry_at <= ${at}) and ${wantsEvent}
      order by events.sequence limit 1) wanted on due.id is null
    left join events on events.org_id = ${orgId} and events.sequence = coalesce(due.sequence, wanted.sequence)
    where webhooks.org_id = ${orgId} and webhooks.id = ${id} and ${maySend}`)
}

/** The most events that one statement searches for one that a webhook wants. */
const mostLookedAt = 1_000
