import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { maySend } from '../../resources/webhooks/webhook.ts'
import { longestWaitMs } from './retry-policy.ts'
import type { WebhookFilters } from './wanted.ts'

/** A webhook with something to do. */
export interface DueWebhook extends WebhookFilters {
  orgId: string
  version: number
  /** every event up to it was taken on */
  position: number
  /** the last event of its organization */
  latest: number
  /** whether a delivery is to be repeated */
  repeats: boolean
  failing: boolean
}

/** The webhooks with something to do. @param orgIds of these organizations; absent: of all */
export function dueWebhooks(db: Db, now: Date, orgIds?: readonly string[]): Promise<DueWebhook[]> {
  const [at, ahead] = [now.toISOString(), new Date(now.getTime() + longestWaitMs).toISOString()]
  const among = orgIds ? sql`and webhooks.org_id = any(${orgIds}::uuid[])` : sql.empty
  // limit 1 makes PostgreSQL ask for each webhook by itself: one of them may have very many deliveries
  return db.rows<DueWebhook>(sql`
    select webhooks.org_id as "orgId", webhooks.id, webhooks.version, webhooks.position, webhooks.types,
      webhooks.project_id as "projectId", event_counters.last_sequence as latest, due.there is true as repeats,
      webhooks.failing_since is not null as failing
    from webhooks
    join event_counters on event_counters.org_id = webhooks.org_id
    left join lateral (
      select true as there from deliveries where deliveries.org_id = webhooks.org_id and deliveries.webhook_id = webhooks.id
        and deliveries.next_attempt_at is not null and (deliveries.next_attempt_at <= ${at} or deliveries.next_attempt_at > ${ahead}) limit 1) due on true
    where ${maySend} ${among}
      and (due.there or webhooks.position <> event_counters.last_sequence
        and (webhooks.retry_at is null or webhooks.retry_at <= ${at} or webhooks.retry_at > ${ahead}))`)
}

/** The organizations in which events are waited for. */
export async function organizationsWithWebhooks(db: Db): Promise<Set<string>> {
  const rows = await db.rows<{ orgId: string }>(sql`
    select distinct webhooks.org_id as "orgId" from webhooks
    where webhooks.deleted_at is null and webhooks.status = 'active'`)
  return new Set(rows.map(({ orgId }) => orgId))
}
