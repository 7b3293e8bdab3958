import type pg from 'pg'
import { TransactionLost } from './failures.ts'

/**
 * Begins a transaction that writes, on a connection outside of the pools.
 * @throws TransactionLost when none has begun: each statement behind it would be committed by itself
 */
export async function begin(client: pg.ClientBase): Promise<void> {
  await client.query('begin isolation level read committed read write')
  // who loses BEGIN on the way may answer it as well; what is said of another statement comes from the database
  await client.query('select 1')
  if (client.getTransactionStatus() !== 'T') throw new TransactionLost()
}
