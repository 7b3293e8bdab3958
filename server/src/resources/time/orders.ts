import { sql } from '../../db/sql.ts'
import { namesDoNotFit, ordersOf } from '../../lists/order.ts'
import { moment } from '../../lists/order-keys.ts'

/** The orders of GET /time-entries. */
export const entryOrders = ordersOf('time-entries', sql`time_entries`, {
  by: {
    startedAt: moment(sql`time_entries.started_at`, { byProject: true }),
    createdAt: moment(sql`time_entries.created_at`),
    updatedAt: moment(sql`time_entries.updated_at`),
  },
  unsorted: '-startedAt',
  fixed: {
    list: 'time-entries',
    keys: sql`time_entries.started_at, time_entries.id`,
    after: ({ sortMs = 0, idBound }) =>
      sql`(time_entries.started_at, time_entries.id) < (${new Date(sortMs).toISOString()}, ${idBound})`,
    by: sql`time_entries.started_at desc, time_entries.id desc`,
    moment: 'startedAt',
  },
  refused: { description: namesDoNotFit },
})
