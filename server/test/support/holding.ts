import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterwards, type Scope } from './afterwards.ts'
import { onCitus } from './citus.ts'

/**
 * Holds what a statement locks in an open transaction, until it is released or the test ends: whatever needs it waits.
 * @param statement such as `select 1 from projects where id = $1 for update`
 */
export async function hold(t: Scope, url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  // the test may take the database away
  client.on('error', () => {})
  await client.connect()
  afterwards(t, () => client.end())
  await client.query('begin')
  await client.query(onCitus ? await withinOrganization(client, statement, values) : statement, values)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return {
    release: () => client.query('rollback'),
    /** lets go as well, and what the statement did is done */
    commit: () => client.query('commit'),
    /** The backends that wait for it, directly or behind one another, once there are so many. */
    async waiters(count: number): Promise<number[]> {
      const deadline = Date.now() + 60_000
      for (;;) {
        // within a transaction the activity is otherwise seen as it was at first
        await client.query('select pg_stat_clear_snapshot()')
        const found = await client.query<{ pid: number }>(waiting, [rows[0]?.pid])
        if (found.rows.length >= count) return found.rows.map(({ pid }) => pid)
        if (Date.now() > deadline) throw new Error(`${found.rows.length} wait, of ${count} expected`)
        await wait(10)
      }
    },
  }
}

/** Holds the counter of an organization's events: every write in it waits just before its commit. */
export const holdCounter = (t: Scope, url: string, orgId: string) =>
  hold(t, url, 'select 1 from event_counters where org_id = $1 for update', [orgId])

/**
 * Sends `first`, which stands just before its commit when `second` comes to wait for it.
 * @param orgId the organization in which both write
 */
export async function inTurn<One, Other>(
  t: Scope,
  { url, orgId }: { url: string; orgId: string },
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<[One, Other]> {
  const held = await holdCounter(t, url, orgId)
  const ahead = first()
  await held.waiters(1)
  const behind = second()
  await held.waiters(2)
  await held.release()
  return Promise.all([ahead, behind])
}

/** Of rows that are found by their ids Citus is told the organization too: it locks them only where it knows the shard. */
async function withinOrganization(client: pg.Client, statement: string, values: unknown[]): Promise<string> {
  const [, table] = /^select (?:1 )?from (\w+) where id = /.exec(statement) ?? []
  if (table === undefined) return statement
  const which = statement.includes('any($1)') ? 'id = any($1)' : 'id = $1'
  const { rows } = await client.query<{ org_id: string }>(`select org_id from ${table} where ${which} limit 1`, values)
  return statement.replace(' where id =', ` where org_id = '${rows[0]?.org_id}' and id =`)
}

// with Citus they may wait on other nodes; those of this one are named by their backends here
const blockings = onCitus
  ? `select (waiting_gpid % 10000000000)::integer as waiting, (blocking_gpid % 10000000000)::integer as blocking
     from citus_lock_waits union`
  : ''

const waiting = `
  with recursive blockings (waiting, blocking) as materialized (
    ${blockings}
    -- pg_stat_activity would be the same throughout the transaction
    select pid, unnest(pg_blocking_pids(pid)) from pg_locks where not granted),
  queue (pid) as (
    select $1::integer
    union
    select waiting from blockings join queue on queue.pid = blocking
  )
  select pid from queue where pid <> $1`
