import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from '../pool/database.ts'
import { plainClient, sessionSettings, setSession } from '../pool/session.ts'

/** One value of a row; null is SQL's, an array holds ids. */
export type Value = string | number | boolean | null | readonly string[]

/** A transaction over very many rows. It copies rows into tables and runs statements. */
export interface CopyTransaction {
  /**
   * @param rows lines of values from `fieldOf`, separated by tabs; many rows come in chunks
   * @returns number of rows
   */
  copy(table: string, columns: readonly string[], rows: Buffer | AsyncIterable<Buffer>): Promise<number>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/** A value in the text format of COPY. @see PostgreSQL, COPY, "Text Format" */
export const fieldOf = (value: Value): string | number | boolean =>
  value === null
    ? '\\N'
    : typeof value === 'object'
      ? `{${value.join()}}`
      : typeof value === 'string'
        ? escaped(value)
        : value

/** Runs `work` on very many rows in one transaction, on a connection outside of the pools. */
export const inCopyTransaction = <T>(db: Database, work: (tx: CopyTransaction) => Promise<T>): Promise<T> =>
  inCopyTransactionOn(db.connectionConfig, work)

/** Runs `work` in one transaction on its own connection, without the time limits of a request. */
export async function inCopyTransactionOn<T>(
  connection: pg.ClientConfig,
  work: (tx: CopyTransaction) => Promise<T>,
): Promise<T> {
  const client = plainClient(connection, 'taskwright-load')
  try {
    await client.connect()
    await setSession(client, sessionSettings.copy)
    await client.query('begin read write')
    // without this a statement of minutes would go on after its process has ended
    await client.query("set local client_connection_check_interval = '1s'")
    // Citus on one node needs this for ANALYZE. Plain PostgreSQL ignores it
    await client.query('set local citus.enable_local_execution = off')
    const result = await work(transactionOn(client))
    await client.query('commit')
    return result
  } finally {
    // an open transaction ends with its connection
    await client.end()
  }
}

const transactionOn = (client: pg.Client): CopyTransaction => ({
  async copy(table, columns, rows) {
    const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
    await pipeline(Readable.from(rows instanceof Buffer ? [rows] : rows), stream)
    return stream.rowCount
  },
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
    return (await client.query<Row>(text, values)).rows
  },
})

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (text: string) =>
  /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : text
