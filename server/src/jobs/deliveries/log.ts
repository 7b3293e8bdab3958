import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Candidate } from './wanted.ts'

/** An event as far as it decides who gets it. */
export interface Noted extends Candidate {
  sequence: number
  createdAt: string
}

/** How many events are looked at in one statement. */
export const mostNoted = 1_000

/** The next events of an organization after a position. */
export const noteEvents = (db: Db, orgId: string, after: number): Promise<Noted[]> =>
  db.rows<Noted>(sql`
    select events.sequence, events.type, events.project_id as "projectId", events.resource_id as "resourceId",
      events.created_at as "createdAt"
    from events where events.org_id = ${orgId} and events.sequence > ${after}
    order by events.sequence limit ${mostNoted}`)
