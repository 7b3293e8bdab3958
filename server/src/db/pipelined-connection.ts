import type pg from 'pg'
import type { Waiter } from './fair-queue.ts'
import { usableForMs } from './session.ts'
import type { StatementWatch } from './statement-watch.ts'

/** A statement that only reads, so it may be sent a second time. */
export interface Read extends Waiter {
  query: pg.QueryConfig
  resolve: (answered: pg.QueryResult) => void
  watch?: StatementWatch | undefined
  /** whether it was sent again because its connection was most likely dead */
  repeated?: boolean
}

/** A read that was sent on a connection and is not answered yet. */
export interface SentRead {
  read: Read
  /** whether it was sent again on another connection; its result here is ignored */
  resent: boolean
  /** whether it has run for so long that it most likely waits for a lock */
  stuck: boolean
  expectedMs: number
}

/** A connection that several statements use at the same time. */
export interface PipelinedConnection {
  client: Promise<pg.PoolClient>
  connected: boolean
  /** in the order in which they will be answered */
  inFlight: SentRead[]
  /** since when the first of them runs */
  busySinceMs: number
  /** how long all of them together will likely take */
  expectedMs: number
  /** whether it gave no answer for too long at the last check */
  suspect: boolean
  /** from now on it gets no more statements; after the last answer it is closed */
  retire: () => void
}

/** A connection as soon as it is there. @param retire takes it away from those that take statements */
export function connectionOf(
  client: Promise<pg.PoolClient>,
  retire: (connection: PipelinedConnection) => void,
): PipelinedConnection {
  const connection: PipelinedConnection = {
    client,
    connected: false,
    inFlight: [],
    busySinceMs: performance.now(),
    expectedMs: 0,
    suspect: false,
    retire: () => retire(connection),
  }
  client.then((client) => {
    client.once('error', connection.retire)
    const usableMs = usableForMs(client)
    if (usableMs < Number.POSITIVE_INFINITY) setTimeout(connection.retire, usableMs).unref()
    connection.connected = true
    connection.busySinceMs = performance.now()
  }, connection.retire)
  return connection
}

/** Whether one more statement may be sent on it, of whichever organization. */
export const hasRoom = ({ inFlight, busySinceMs }: PipelinedConnection, depth: number, stuckAfterMs: number): boolean =>
  inFlight.length === 0 || (inFlight.length < depth && performance.now() - busySinceMs <= stuckAfterMs)

/** How long what is under way on it will likely take: what has run for long will take longer still. */
export const loadOf = ({ inFlight, busySinceMs, expectedMs }: PipelinedConnection): number =>
  inFlight.length === 0 ? expectedMs : Math.max(performance.now() - busySinceMs, expectedMs)

/** Whether its connection is of no more use: shut down, to a read-only server, or without our prepared statements. */
export const endsConnection = ({ code = '' }: pg.DatabaseError): boolean => /^(57P..|25006|26000|42P05)$/.test(code)
