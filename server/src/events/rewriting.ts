import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** The stored changes and snapshot of an event. */
export interface StoredEvent {
  sequence: number
  changes: Record<string, unknown>
  snapshot: object
}

/** Rewrites stored events. It also removes the responses of webhook receivers, which may repeat the old content. */
export async function rewriteEvents(db: Db, orgId: string, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return
  await db.rows(sql`
    update events set changes = rewritten.changes, snapshot = rewritten.snapshot
    from json_to_recordset(${JSON.stringify(events)}::json) as rewritten (sequence bigint, changes json, snapshot json)
    where events.org_id = ${orgId} and events.sequence = rewritten.sequence`)
  await db.rows(sql`
    update deliveries set version = version + 1, attempts = (
      select json_agg(jsonb_set(attempt::jsonb, '{answer}', 'null') order by place)
      from json_array_elements(deliveries.attempts) with ordinality attempts (attempt, place))
    where org_id = ${orgId} and sequence = any(${events.map(({ sequence }) => sequence)}::bigint[])
      and attempts::text ~ '"answer": ?"'`)
}
