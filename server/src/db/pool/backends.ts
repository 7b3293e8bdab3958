import type pg from 'pg'
import type { Db } from '../db.ts'
import { sql } from '../sql.ts'
import { backendOf } from './session.ts'

/** Asks on another connection whether the backend of a connection is running a statement. */
export async function isAtWork(client: pg.PoolClient, db: Db): Promise<boolean> {
  // if `track_activities` is off, a backend does not report its state
  const atWork = await db.row(sql`
    select from pg_stat_activity where pid = ${backendOf(client)}::integer and coalesce(state, '') not like 'idle%'`)
  return atWork !== undefined
}

/** Destroys a connection and terminates its backend, which would not notice before it sends its next result. */
export function terminate(client: pg.PoolClient, db: Db): void {
  client.connection.stream.destroy()
  // with the cast, as Citus has another function of this name for bigint
  db.row(sql`select pg_terminate_backend(${backendOf(client)}::integer)`).catch(() => {})
}
