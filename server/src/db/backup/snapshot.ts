import { Socket } from 'node:net'
import type pg from 'pg'
import { isOnCitus } from '../migrations/citus.ts'
import { refuseHalfRestored } from '../migrations/half-restored.ts'
import { keepSchema } from '../migrations/migration-lock.ts'
import { setOwnSession } from '../pool/poolers.ts'
import { plainClient, sessionSettings } from '../pool/session.ts'
import { ArchiveProblem } from './problem.ts'
import { type ArchivedTable, tablesOf } from './tables.ts'

interface SnapshotOptions {
  say?: ((sentence: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Runs `work` on one snapshot of the whole database, on its own connection. Servers go on writing. Only migrations wait, with
 * a sentence for the operator.
 * @throws ArchiveProblem if the database has no tables of Taskwright, or on Citus, which has no common snapshot
 */
export async function inSnapshot<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client, tables: ArchivedTable[]) => Promise<T>,
  { say = () => {}, signal }: SnapshotOptions = {},
): Promise<T> {
  signal?.throwIfAborted()
  const client = plainClient({ ...connection, stream: () => new Socket({ signal }) }, 'taskwright-backup')
  try {
    await client.connect()
    await setOwnSession(client, connection, settings)
    // versions of PostgreSQL before 17 lack this setting
    await client.query("select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'")
    if (await isOnCitus(client)) throw new ArchiveProblem(onCitus)
    await keepSchema(client, say)
    await refuseHalfRestored(client)
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ name: string | null }>("select to_regclass('migrations')::text as name")
    const tables = rows[0]?.name ? await tablesOf(client) : []
    if (!tables.some(({ name }) => name === 'organizations'))
      throw new ArchiveProblem('This database has no data of Taskwright.')
    // as a read does, but at once: a statement that needs a table for itself waits from the beginning
    await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`)
    return await work(client, tables)
  } finally {
    await client.end()
  }
}

const onCitus =
  'This database is one of a Citus cluster, whose nodes have no common snapshot: back up each node with the tools of PostgreSQL (pg_basebackup of each, with citus_create_restore_point).'

const settings = {
  ...sessionSettings.plain,
  // these three make equal values equal text
  bytea_output: 'hex',
  extra_float_digits: '1',
  intervalstyle: 'postgres',
  // rows come in the order of an index; sorting millions of them would take space on the disk of the database
  enable_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  statement_timeout: '0',
  lock_timeout: '30000',
  idle_in_transaction_session_timeout: '0',
}
