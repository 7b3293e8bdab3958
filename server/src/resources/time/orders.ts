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
  refused: { description: namesDoNotFit },
})
