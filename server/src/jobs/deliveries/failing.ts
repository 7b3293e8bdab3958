import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Sent } from './record.ts'

/** Whether the event that has failed now is at least the third since a webhook has failed. */
export async function severalFailed(db: Db, { orgId, id, sequence }: Sent, failingSince: string): Promise<boolean> {
  const others = await db.rows(sql`
    select deliveries.id from deliveries
    where deliveries.org_id = ${orgId} and deliveries.webhook_id = ${id} and deliveries.status = 'pending'
      and deliveries.updated_at >= ${failingSince} and deliveries.sequence <> ${sequence} limit 2`)
  return others.length === 2
}
