import type pg from 'pg'
import type { PipelinedPool } from './pipelined-pool.ts'
import { sql } from './sql.ts'
import { prepared } from './statements.ts'

/** Whether the backend of a connection is at work, as another connection is told. */
export async function isAtWork(client: pg.PoolClient, lookUps: PipelinedPool): Promise<boolean> {
  // a backend says nothing of its state where `track_activities` is off
  const atWork = sql`
    select from pg_stat_activity where pid = ${backendOf(client)}::integer and coalesce(state, '') not like 'idle%'`
  return (await lookUps.query(prepared(atWork))).rowCount === 1
}

/** Destroys a connection and ends its backend, which would otherwise notice only when it sends its next answer. */
export function terminate(client: pg.PoolClient, lookUps: PipelinedPool): void {
  client.connection.stream.destroy()
  // the type is said, as Citus has one for numbers of all nodes
  lookUps.query({ text: 'select pg_terminate_backend($1::integer)', values: [backendOf(client)] }).catch(() => {})
}

const backendOf = (client: pg.PoolClient) => (client as unknown as { processID: number }).processID
