import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import type { Loader } from '../../access/loader.ts'
import { seesShared } from '../../access/visibility.ts'
import { Id, resource, Timestamp } from '../../contract/fields.ts'
import { atLeast } from '../../db/columns.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { cursorPageOf, cursorQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { Sequence } from '../events/event.ts'
import { refuseUnlessActive, webhook } from './webhook.ts'

const noNul = '^[^\\u0000]*$'

const Attempt = z.strictObject({
  at: Timestamp,
  status: z
    .int()
    .min(100)
    .max(599)
    .nullable()
    .meta({ description: 'The status code of the response. Null if there was none.' }),
  ms: z
    .int()
    .min(0)
    .meta({ description: 'How long the attempt took, in milliseconds.', examples: [120] }),
  error: z
    .string()
    .max(1_000)
    .meta({ pattern: noNul })
    .nullable()
    .meta({ description: 'Why there was no response.', examples: ['No complete response within 15 seconds'] }),
  answer: z
    .string()
    .max(1_024)
    .meta({ pattern: noNul })
    .nullable()
    .meta({ description: 'The beginning of the response body.', examples: ['OK'] }),
})

const Delivery = resource('Delivery', 'An event that the server sends to a webhook.', {
  webhookId: Id,
  eventId: Id.meta({ description: 'The event id. Each attempt sends it as `webhook-id`.' }),
  sequence: Sequence,
  eventType: z
    .string()
    .max(64)
    .meta({ pattern: '^[a-z_]+\\.[a-z_]+$', examples: ['task.created'] }),
  status: z.enum(['pending', 'delivered', 'failed']).meta({
    description: 'pending: the server tries again. failed: the server no longer tries, unless you redeliver it.',
  }),
  attempts: z.array(Attempt).max(20).meta({ description: 'The last 20 attempts, oldest first.' }),
  attemptCount: z.int().min(0).max(2_147_483_647),
  nextAttemptAt: Timestamp.nullable().meta({
    description: 'The next attempt is not made before this. Null if none is due.',
  }),
})
type Delivery = z.output<typeof Delivery>

/** The table of deliveries. They are purged with their events, and with their webhook. */
const storedDeliveries = table('deliveries', Delivery, { noun: 'delivery' })

/** A delivery to a webhook that the caller sees. */
const delivery: Loader<Delivery> = {
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

export const deliveries = [
  route('GET /webhooks/{id}/deliveries', {
    name: 'webhooks.deliveries.list',
    summary: 'List the deliveries of a webhook',
    description:
      'Newest first. There is one for each event, from the first attempt, for as long as the event is stored.',
    roles: admins,
    target: webhook,
    query: z.strictObject({ ...cursorQuery, status: Delivery.shape.status.optional() }),
    returns: cursorPageOf(Delivery),
    async handle({ db, caller: { orgId }, cursors, target, query: { limit, cursor, status, fields } }) {
      const position = cursor === undefined ? undefined : cursors.open(orgId, 'deliveries', cursor)
      const own = sql`deliveries.org_id = ${orgId} and deliveries.webhook_id = ${target.id}`
      const behind = position && sql`deliveries.id < ${position.idBound}`
      const matching = status && sql`deliveries.status = ${status}`
      // one row more than requested shows whether there is a next page
      const found = await db.rows<Delivery>(sql`
        select ${storedDeliveries.columns.of(atLeast(fields, 'id'))} from deliveries where ${sql.all(own, behind, matching)}
        order by deliveries.id desc limit ${limit + 1}`)
      const data = found.slice(0, limit)
      const last = data.at(-1)
      const nextCursor = last && found.length > limit ? cursors.seal(orgId, 'deliveries', last) : null
      return { data, pagination: { nextCursor } }
    },
  }),

  route('GET /deliveries/{id}', {
    name: 'deliveries.get',
    summary: 'Get a delivery',
    roles: admins,
    target: delivery,
    returns: Delivery,
    handle: ({ target }) => target,
  }),

  route('POST /deliveries/{id}/redeliver', {
    name: 'deliveries.redeliver',
    summary: 'Redeliver an event to a webhook',
    description:
      'Sends the event again at once, even if the receiver already accepted it. If this attempt fails, the ' +
      'retries that were already planned still happen.',
    roles: admins,
    target: delivery,
    returns: Delivery,
    emits: ['webhook.redelivered'],
    async handle({ db, caller, target, emit, now }) {
      const [found] = await webhook.load(db, caller, { ids: [target.webhookId], lock: 'key share' })
      const { item } = expected(found, 'The webhook of a delivery that is seen')
      refuseUnlessActive(item)
      const due = { status: 'pending', nextAttemptAt: now }
      const changed = await storedDeliveries.update(db, caller.orgId, target.id, due, now)
      emit('webhook.redelivered', item)
      return changed
    },
  }),
]
