import { sql } from '../../db/sql.ts'
import { namesDoNotFit, notKeptInOrder, ordersOf } from '../../lists/order.ts'
import { moment, momentOfId } from '../../lists/order-keys.ts'

/** The orders of GET /subtasks. */
export const subtaskOrders = ordersOf('subtasks', sql`subtasks`, {
  by: {
    createdAt: momentOfId,
    finalizedAt: moment(sql`subtasks.finalized_at`, { empty: true, apart: true }),
  },
  unsorted: '-createdAt',
  refused: { name: namesDoNotFit, updatedAt: notKeptInOrder },
})
