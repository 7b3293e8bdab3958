import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { eventId, shownEvent } from '../../events/log.ts'
import type { SealedSecrets } from '../../resources/webhooks/signing-secrets.ts'
import { maySend } from '../../resources/webhooks/webhook.ts'
import { longestWaitMs } from './retry-policy.ts'
import type { WebhookFilters } from './wanted.ts'

/** A webhook as it is right before something is sent to it, with what is to be sent. */
export interface Next extends WebhookFilters, SealedSecrets {
  version: number
  url: string
  position: number
  /** whether no new event is tried now */
  onBreak: boolean
  failures: number
  failingSince: string | null
  /** the delivery that is to be repeated, before anything new; null: there is none */
  deliveryId: string | null
  deliveryVersion: number | null
  attemptCount: number
  /** the event of that delivery, or else the one that was asked for; null: there is none, or it is kept no more */
  sequence: number | null
  eventId: string | null
  eventType: string | null
  /** the event as its receiver gets it */
  body: string | null
}

/**
 * Reads it all in one statement.
 * @param expected the sequence of the event that will likely be sent
 * @returns undefined if nothing may be sent to it
 */
export function readNext(
  db: Db,
  { orgId, id }: { orgId: string; id: string },
  expected: number | undefined,
  now: Date,
): Promise<Next | undefined> {
  const [at, ahead] = [now.toISOString(), new Date(now.getTime() + longestWaitMs).toISOString()]
  // materialized, as the few that are pending have an index, and the order alone would lead through all that were delivered
  return db.row<Next>(sql`
    with pending as materialized (
      select deliveries.id, deliveries.version, deliveries.sequence, deliveries.attempt_count from deliveries
      where deliveries.org_id = ${orgId} and deliveries.webhook_id = ${id} and deliveries.next_attempt_at is not null
        and (deliveries.next_attempt_at <= ${at} or deliveries.next_attempt_at > ${ahead}))
    select webhooks.org_id as "orgId", webhooks.id, webhooks.version, webhooks.url, webhooks.types,
      webhooks.project_id as "projectId", webhooks.position, webhooks.failures, webhooks.failing_since as "failingSince",
      webhooks.secret, webhooks.former_secret as "formerSecret", webhooks.former_secret_until as "formerSecretUntil",
      coalesce(webhooks.retry_at > ${at} and webhooks.retry_at <= ${ahead}, false) as "onBreak",
      due.id as "deliveryId", due.version as "deliveryVersion", coalesce(due.attempt_count, 0) as "attemptCount",
      coalesce(due.sequence, events.sequence) as sequence, events.type as "eventType",
      case when events.sequence is not null then ${eventId} end as "eventId",
      case when events.sequence is not null then ${shownEvent(sql`true`)} end as body
    from webhooks
    left join (select id, version, sequence, attempt_count from pending order by sequence limit 1) due on true
    left join events on events.org_id = ${orgId} and events.sequence = coalesce(due.sequence, ${expected ?? null}::bigint)
    where webhooks.org_id = ${orgId} and webhooks.id = ${id} and ${maySend}`)
}
