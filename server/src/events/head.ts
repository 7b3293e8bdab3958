import { refused, unauthorized } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * The readable part of an organization's log, from `oldest` to `latest`. If the log is empty, `oldest` is `latest + 1`, the
 * sequence of the next event. A position is valid if it is at least `oldest - 1`.
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

/** The head of a log and the kind of server that it was read from. */
export interface ReadHead extends LogHead {
  /** whether the server is a standby: it may lag behind the events that the reader has already seen */
  standby: boolean
}

/** The column of `ReadHead.standby`. It is read together with the head, as each connection may go to another server. */
export const standby: Sql = sql`pg_is_in_recovery() as standby`

/** Reads the current head of a log. @throws 401 if the organization was erased after the request was authenticated */
export const readHead = async (db: Db, orgId: string): Promise<ReadHead> =>
  (await db.row<ReadHead>(sql`select head.oldest, head.latest, ${standby} from (${logHead(orgId)}) head`)) ?? gone()

const gone = (): never => {
  throw unauthorized()
}

/**
 * Checks the position from which a page or a stream resumes.
 * @throws 412 if events after the position are no longer kept, or if the log has not reached the position
 */
export function refuseUnlessReached(after: number, head: ReadHead): void {
  refuseIfExpired(after, head)
  if (!isBeyondLog(after, head)) return
  throw refused(
    `There is no event ${after} yet, so this is not the log that you read before. ${beginAnew}`,
    'position_expired',
  )
}

/** Whether a position is beyond the end of the log, so that it comes from another log. A standby cannot tell, as it may lag. */
export const isBeyondLog = (position: number, { latest, standby }: Pick<ReadHead, 'latest' | 'standby'>): boolean =>
  position > latest && !standby

/**
 * @param after sequence of the last event that the reader has seen; 0: none
 * @throws 412 if events after the position are no longer kept
 */
export function refuseIfExpired(after: number, { oldest }: LogHead): void {
  if (after >= oldest - 1) return
  throw refused(`Events after ${after} are no longer stored; the oldest is ${oldest}. ${beginAnew}`, 'position_expired')
}

const beginAnew = 'Read /events/head, then the current state, then follow from latest'
