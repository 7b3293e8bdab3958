import { sql } from '../../db/sql.ts'
import { moment, momentOfId, namesDoNotFit, newestFirst, ordersOf } from '../../lists/order.ts'

/** The orders of GET /subtasks. */
export const subtaskOrders = ordersOf('subtasks', sql`subtasks`, {
  by: {
    createdAt: momentOfId,
    updatedAt: moment(sql`subtasks.updated_at`),
    finalizedAt: moment(sql`subtasks.finalized_at`, { empty: true, apart: true }),
  },
  unsorted: '-createdAt',
  fixed: newestFirst('subtasks', sql`subtasks`),
  refused: { name: namesDoNotFit },
})
