import { z } from 'zod'
import { admins } from '../../access/caller.ts'
import { atLeast } from '../../db/columns.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { cursorPageOf, cursorQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { Delivery, delivery, storedDeliveries } from './delivery.ts'
import { refuseUnlessActive, webhook } from './webhook.ts'

export const deliveries = [
  route('GET /webhooks/{id}/deliveries', {
    name: 'webhooks.deliveries.list',
    summary: 'List the deliveries to a webhook, newest first',
    description: 'One for each event, from its first attempt on, for as long as the event is kept.',
    roles: admins,
    target: webhook,
    query: z.strictObject({ ...cursorQuery, status: Delivery.shape.status.optional() }),
    returns: cursorPageOf(Delivery),
    async handle({ db, caller: { orgId }, cursors, target, query: { limit, cursor, status, fields } }) {
      const position = cursor === undefined ? undefined : cursors.open(orgId, 'deliveries', cursor)
      const own = sql`deliveries.org_id = ${orgId} and deliveries.webhook_id = ${target.id}`
      const behind = position && sql`deliveries.id < ${position.idBound}`
      const matching = status && sql`deliveries.status = ${status}`
      // one more than asked for tells whether a further row exists
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
    summary: 'Read a delivery to a webhook',
    roles: admins,
    target: delivery,
    returns: Delivery,
    handle: ({ target }) => target,
  }),

  route('POST /deliveries/{id}/redeliver', {
    name: 'deliveries.redeliver',
    summary: 'Send an event to a webhook once more, at once',
    description: 'Whether it was received or not. Where further attempts are due, they follow if this one fails.',
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
