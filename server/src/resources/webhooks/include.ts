import { z } from 'zod'
import { Timestamp } from '../../contract/fields.ts'
import { sql } from '../../db/sql.ts'
import { type Asking, includable } from '../../lists/include.ts'
import { valueOfEach } from '../../lists/parts.ts'
import { Webhook } from './webhook.ts'

/** How far a webhook is. It changes with each event that is sent, and is no version. */
const Progress = z.strictObject({
  position: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ description: 'Every event up to this sequence was taken on: sent, tried, or not wanted.' }),
  lastSuccessAt: Timestamp.nullable(),
  failingSince: Timestamp.nullable().meta({ description: 'Null: what was sent last was received.' }),
  retryAt: Timestamp.nullable().meta({ description: 'No new event is tried before, as several in a row failed.' }),
})
type Progress = z.output<typeof Progress>

/** Of a webhook that is gone since a moment ago. */
const nothing: Progress = { position: 0, lastSuccessAt: null, failingSince: null, retryAt: null }

/** What may be included beside a webhook. */
export const besideWebhook = includable<Webhook>(Webhook, 'A webhook', {
  progress: valueOfEach(Progress, nothing, progressOf),
})

async function progressOf({ db, caller }: Asking, ids: string[]): Promise<Map<string, Progress>> {
  const rows = await db.rows<Progress & { id: string }>(sql`
    select id, position, last_success_at as "lastSuccessAt", failing_since as "failingSince", retry_at as "retryAt"
    from webhooks where org_id = ${caller.orgId} and id = any(${ids})`)
  return new Map(rows.map(({ id, ...progress }) => [id, progress]))
}
