import { sql } from '../../db/sql.ts'
import { moment, momentOfId, newestFirst, ordersOf } from '../../lists/order.ts'

/** The orders of GET /comments. */
export const commentOrders = ordersOf('comments', sql`comments`, {
  by: { createdAt: momentOfId, updatedAt: moment(sql`comments.updated_at`) },
  unsorted: '-createdAt',
  fixed: newestFirst('comments', sql`comments`),
})
