import type pg from 'pg'
import { TransactionLost } from './failures.ts'

/**
 * Begins a transaction that writes, on a connection outside of the pools.
 * @throws TransactionLost if none has begun, as each later statement would then commit on its own
 */
export async function begin(client: pg.ClientBase): Promise<void> {
  await client.query('begin isolation level read committed read write')
  // a proxy that loses BEGIN may also confirm it. The reply to another statement comes from the database
  await client.query('select 1')
  if (client.getTransactionStatus() !== 'T') throw new TransactionLost()
}
