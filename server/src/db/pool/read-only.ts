import type pg from 'pg'
import { sql } from '../sql.ts'
import { plainClient } from './session.ts'

/** Asks whether a connection can only read: on a standby, or by default_transaction_read_only. */
export const readOnlyQuery = sql`select current_setting('transaction_read_only') = 'on' as only`

/** Whether that connection can only read. */
export async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ only: boolean }>(readOnlyQuery.text)
  return rows[0]?.only === true
}

/**
 * Whether a connection made now is read-only. Open connections only know what was so when they were made. The answer is
 * cached for a second.
 */
export const readOnlyCheck = (connection: pg.ClientConfig) => onceASecond(() => askOnNewConnection(connection))

/** Asks at most once a second; who asks in between gets the last answer. */
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
