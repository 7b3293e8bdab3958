import pg from 'pg'
import { afterwards, file } from './afterwards.ts'
import { onCitus } from './citus.ts'
import { migratedDatabase } from './world.ts'

/** The URL of a database that says of itself that it is a standby, yet takes writes. It is dropped when the file ends. */
export async function seemingStandby(): Promise<string> {
  const { url, drop } = await migratedDatabase()
  afterwards(file, drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create function pg_is_in_recovery() returns boolean immutable return true')
  // by its schema, as the nodes are asked, and as it was before
  if (onCitus) await client.query(`select create_distributed_function('public.pg_is_in_recovery()')`)
  await client.query(
    `do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
  )
  await client.end()
  return url
}
