import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { readHead } from '../../events/head.ts'
import { type Webhook, wants } from './webhook.ts'

/** Up to which sequence everything was taken on for a webhook that is held. */
export async function positionOf(db: Db, orgId: string, id: string): Promise<number> {
  const row = await db.row<{ position: number }>(sql`
    select position from webhooks where org_id = ${orgId} and id = ${id}`)
  return expected(row, 'A webhook that is held').position
}

/**
 * Where a webhook goes on that gets other filters: before the first event that it waited for, so that it is not sent what came
 * before its new filters and was not for it.
 */
export async function positionAfterEdit(db: Db, orgId: string, before: Webhook): Promise<number> {
  const [position, { oldest, latest }] = await Promise.all([positionOf(db, orgId, before.id), readHead(db, orgId)])
  // that something is no longer kept is told when it is resumed
  if (position < oldest - 1) return position
  const end = Math.min(latest, position + mostLookedAt)
  const first = await db.row<{ sequence: number }>(sql`
    select events.sequence from webhooks join events on events.org_id = ${orgId} and ${wants}
    where webhooks.org_id = ${orgId} and webhooks.id = ${before.id}
      and events.sequence > ${position} and events.sequence <= ${end}
    order by events.sequence limit 1`)
  return first ? first.sequence - 1 : Math.max(position, end)
}

// a webhook that wants none of so many goes on behind them
const mostLookedAt = 10_000

/** What is to be repeated is repeated at once, in order: its receiver is back, or another one. */
export async function retryNow(db: Db, orgId: string, webhookId: string, now: string): Promise<void> {
  await db.rows(sql`
    update deliveries set next_attempt_at = ${now}, updated_at = greatest(updated_at, ${now}), version = version + 1
    where org_id = ${orgId} and webhook_id = ${webhookId} and status = 'pending'`)
}
