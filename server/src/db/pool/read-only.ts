import type pg from 'pg'
import { sql } from '../sql.ts'
import { plainClient } from './session.ts'

/** Query: whether the connection can only read, on a standby or through default_transaction_read_only. */
export const readOnlyQuery = sql`select current_setting('transaction_read_only') = 'on' as only`

/** Whether this connection can only read. */
export async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ only: boolean }>(readOnlyQuery.text)
  return rows[0]?.only === true
}

/**
 * Whether a new connection would be read-only. An open connection only knows the state in which it was opened. The result is
 * cached for a second.
 */
export const readOnlyCheck = (connection: pg.ClientConfig) => onceASecond(() => askOnNewConnection(connection))

/** Limits a function to one call a second. Calls in between get the last result. */
export function onceASecond<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { askedMs: number; answer: Promise<T> } | undefined
  return () => {
    const nowMs = performance.now()
    if (last === undefined || nowMs - last.askedMs > 1_000) last = { askedMs: nowMs, answer: ask() }
    return last.answer
  }
}

async function askOnNewConnection(connection: pg.ClientConfig): Promise<boolean> {
  const client = plainClient(
    { ...connection, connectionTimeoutMillis: 3_000, query_timeout: 3_000 },
    'taskwright-readiness',
  )
  try {
    await client.connect()
    return await isReadOnly(client)
  } finally {
    await client.end().catch(() => {})
  }
}
