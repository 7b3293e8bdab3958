import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** What is stored of an event besides who did what, and when. */
export interface StoredEvent {
  sequence: number
  changes: Record<string, unknown>
  snapshot: object
}

/** Stores events as they are to be from now on, without what receivers answered to them, which may repeat what they said. */
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
