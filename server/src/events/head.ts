import { refused, unauthorized } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * What can be read of an organization's log: from `oldest` to `latest`. Where nothing is kept, oldest is that of the event
 * to come, latest + 1; so a position is good exactly when it is not below oldest - 1.
 */
interface LogHead {
  oldest: number
  latest: number
}

/** Query: the head of a log, one row. */
export const logHead = (orgId: string): Sql => sql`
  select coalesce((select events.sequence from events where events.org_id = ${orgId} order by events.sequence limit 1),
    event_counters.last_sequence + 1) as oldest, event_counters.last_sequence as latest
  from event_counters where event_counters.org_id = ${orgId}`

/** The same, and by what it was read. */
export interface ReadHead extends LogHead {
  /** whether by a standby, which may lag behind what its reader has seen elsewhere */
  standby: boolean
}

/** The column that says it; it stands beside the head, as every connection may be to another database. */
export const standby: Sql = sql`pg_is_in_recovery() as standby`

/** The head of a log as it is now. @throws 401 when the organization is gone since its reader was let in */
export const readHead = async (db: Db, orgId: string): Promise<ReadHead> =>
  (await db.row<ReadHead>(sql`select head.oldest, head.latest, ${standby} from (${logHead(orgId)}) head`)) ?? gone()

const gone = (): never => {
  throw unauthorized()
}

/**
 * For whoever goes on from a position: a page, a stream.
 * @throws 412 when events that came after it are not kept any more, or when there never was such an event
 */
export function refuseUnlessReached(after: number, head: ReadHead): void {
  refuseIfExpired(after, head)
  if (!isBeyond(after, head)) return
  throw refused(`There is no event ${after} yet, so the log is not the one you read. ${beginAnew}`, 'position_expired')
}

/** Whether the log never came to a position, so that it is not the one that was read; by a standby nobody can tell. */
export const isBeyond = (position: number, { latest, standby }: Pick<ReadHead, 'latest' | 'standby'>): boolean =>
  position > latest && !standby

/**
 * @param after the sequence of the last event that was seen; 0: from the first event of all
 * @throws 412 when events that came after it are not kept any more
 */
export function refuseIfExpired(after: number, { oldest }: LogHead): void {
  if (after >= oldest - 1) return
  throw refused(
    `Events that followed on ${after} are no longer kept; the oldest is ${oldest}. ${beginAnew}`,
    'position_expired',
  )
}

const beginAnew = 'Read /events/head, then the state, then follow from latest'
