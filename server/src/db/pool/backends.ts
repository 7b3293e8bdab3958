import type pg from 'pg'
import type { Db } from '../db.ts'
import { sql } from '../sql.ts'
import { backendOf } from './session.ts'

/** Whether the backend of a connection is at work, as another connection is told. */
export async function isAtWork(client: pg.PoolClient, db: Db): Promise<boolean> {
  // a backend says nothing of its state where `track_activities` is off
  const atWork = await db.row(sql`
    select from pg_stat_activity where pid = ${backendOf(client)}::integer and coalesce(state, '') not like 'idle%'`)
  return atWork !== undefined
}

/** Destroys a connection and ends its backend, which would otherwise notice only when it sends its next answer. */
export function terminate(client: pg.PoolClient, db: Db): void {
  client.connection.stream.destroy()
  // the type is said, as Citus has one for numbers of all nodes
  db.row(sql`select pg_terminate_backend(${backendOf(client)}::integer)`).catch(() => {})
}
