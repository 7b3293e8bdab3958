import { z } from 'zod'
import type { Loader } from '../../access/loader.ts'
import { seesShared } from '../../access/visibility.ts'
import { Id, resource, Timestamp } from '../../contract/fields.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { Sequence } from '../events/event.ts'

const noNul = '^[^\\u0000]*$'

const Attempt = z.strictObject({
  at: Timestamp,
  status: z.int().min(100).max(599).nullable().meta({ description: 'Of the answer; null: there was none.' }),
  ms: z
    .int()
    .min(0)
    .meta({ description: 'How long it took, in milliseconds.', examples: [120] }),
  error: z
    .string()
    .max(1_000)
    .meta({ pattern: noNul })
    .nullable()
    .meta({ description: 'Why there was no answer.', examples: ['No whole answer within 15 seconds'] }),
  answer: z
    .string()
    .max(1_024)
    .meta({ pattern: noNul })
    .nullable()
    .meta({ description: 'How the answer begins.', examples: ['OK'] }),
})

/** An event on its way to a webhook. */
export const Delivery = resource('Delivery', 'An event on its way to a webhook.', {
  webhookId: Id,
  eventId: Id.meta({ description: 'The `webhook-id` of each attempt.' }),
  sequence: Sequence,
  eventType: z
    .string()
    .max(64)
    .meta({ pattern: '^[a-z_]+\\.[a-z_]+$', examples: ['task.created'] }),
  status: z.enum(['pending', 'delivered', 'failed']).meta({
    description: 'pending: it is tried again. failed: it is tried no more, unless it is redelivered.',
  }),
  attempts: z.array(Attempt).max(20).meta({ description: 'The last 20, in their order.' }),
  attemptCount: z.int().min(0).max(2_147_483_647),
  nextAttemptAt: Timestamp.nullable().meta({ description: 'Not before; null: none is due.' }),
})
export type Delivery = z.output<typeof Delivery>

/** The table of deliveries. They go with their events, and with their webhook. */
export const storedDeliveries = table('deliveries', Delivery, { noun: 'delivery' })

/** A delivery to a webhook that the caller sees. */
export const delivery: Loader<Delivery> = {
  belongsTo: 'either',
  async load(db, caller, { ids, lock, fields }) {
    const items = await db.rows<Delivery>(sql`
      select ${storedDeliveries.columns.of(fields)} from deliveries
      where deliveries.org_id = ${caller.orgId} and deliveries.id = any(${ids})
        and exists (select from webhooks where webhooks.id = deliveries.webhook_id and ${seesShared(caller, sql`webhooks`)})
      ${sql.lock(lock, sql`deliveries`)}`)
    return items.map((item) => ({ item, role: 'lead' }))
  },
}
