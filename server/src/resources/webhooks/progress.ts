import { z } from 'zod'
import { Timestamp, words } from '../../contract/fields.ts'
import type { Columns } from '../../db/columns.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { storedWebhooks, Webhook } from './webhook.ts'

/** What may be asked for beside a webhook. */
export const include = words(['progress'], 1).optional().meta({
  description: 'Only `progress`. Such an answer has no ETag.',
})

/** A webhook with what was asked for beside it. How far it is changes with each event that is sent, and is no version. */
export const FullWebhook = Webhook.extend({
  progress: z
    .strictObject({
      position: z
        .int()
        .min(0)
        .max(Number.MAX_SAFE_INTEGER)
        .meta({ description: 'Every event up to this sequence was taken on: sent, tried, or not wanted.' }),
      lastSuccessAt: Timestamp.nullable(),
      failingSince: Timestamp.nullable().meta({ description: 'Null: what was sent last was received.' }),
      retryAt: Timestamp.nullable().meta({ description: 'No new event is tried before, as several in a row failed.' }),
    })
    .optional(),
}).meta({ id: 'FullWebhook', description: 'A webhook, with what `include` asked for.' })
export type FullWebhook = z.output<typeof FullWebhook>

const moment = (column: Sql) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of a webhook, and how far it is. */
export const withProgress: Columns = storedWebhooks.columns.beside(sql`, json_build_object(
  'position', webhooks.position, 'lastSuccessAt', ${moment(sql`webhooks.last_success_at`)},
  'failingSince', ${moment(sql`webhooks.failing_since`)}, 'retryAt', ${moment(sql`webhooks.retry_at`)}) as progress`)
