import { sql } from '../../db/sql.ts'
import { notKeptInOrder, ordersOf } from '../../lists/order.ts'
import { momentOfId } from '../../lists/order-keys.ts'

/** The orders of GET /comments. */
export const commentOrders = ordersOf('comments', sql`comments`, {
  by: { createdAt: momentOfId },
  unsorted: '-createdAt',
  refused: { updatedAt: notKeptInOrder },
})
