import { sql } from '../../db/sql.ts'
import { namesDoNotFit, newestFirst, notKeptInOrder, type Order, onlyThose, ordersOf } from '../../lists/order.ts'
import { moment, momentOfId } from '../../lists/order-keys.ts'

/** The orders of GET /subtasks. */
export const subtaskOrders = ordersOf('subtasks', sql`subtasks`, {
  by: {
    createdAt: momentOfId,
    finalizedAt: moment(sql`subtasks.finalized_at`, { empty: true, apart: true }),
  },
  unsorted: '-createdAt',
  fixed: newestFirst('subtasks', sql`subtasks`),
  refused: { name: namesDoNotFit, updatedAt: notKeptInOrder },
})

interface Asked {
  sort?: string | undefined
  finalized?: boolean | undefined
}

/** The order that subtasks are asked for in: the part that a filter leaves nothing of is not read. */
export function orderOfSubtasks({ sort, finalized }: Asked): Order {
  const order = subtaskOrders.of(sort)
  return finalized !== undefined && sort?.endsWith('finalizedAt') ? onlyThose(order, { withValue: finalized }) : order
}
