import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { begin } from '../pool/begin.ts'
import { StartupProblem } from '../pool/startup-problem.ts'
import { distributeTables } from './citus.ts'
import { type Migration, statementsOf, wordsOf } from './released.ts'

// Servers may be writing, so an attempt that does not get its tables soon gives way and comes back. While an attempt waits,
// nobody else gets these tables, and writers with one table that want another block it. Many short attempts find a gap sooner
// than a few long ones. An occasional long one waits for slow statements.
const tableTimeoutsMs = [25, 50, 25, 200]
const ordinaryPatienceMs = 120_000
const toldAfterMs = 3_000
const progressEveryMs = 15_000

interface MigrationRun {
  say: (sentence: string) => void
  /** computation that only the server can do, in the same transaction if there is one */
  beyond?: ((client: pg.Client) => Promise<void>) | undefined
  /** how long the migration waits in all for tables in use */
  patienceMs?: number | undefined
  /** whether the tables are distributed over the nodes of a Citus cluster */
  distributed: boolean
}

/**
 * Applies one migration, also while servers write. It gives way to them and tries again, for two minutes of waiting.
 * @throws StartupProblem
 */
export async function apply(
  client: pg.Client,
  migration: Migration,
  { say, beyond = async () => {}, patienceMs = ordinaryPatienceMs, distributed }: MigrationRun,
): Promise<void> {
  const { name, outside } = migration
  const beganMs = performance.now()
  const seconds = () => Math.round((performance.now() - beganMs) / 1_000)
  const progress = setInterval(() => say(`Migration ${name} has been running for ${seconds()} s.`), progressEveryMs)
  try {
    for (let [told, waitedMs, tries] = [false, 0, 0]; ; tries++) {
      const triedMs = performance.now()
      const tableTimeoutMs = tableTimeoutsMs[tries % tableTimeoutsMs.length] ?? 0
      const failure = await (outside
        ? stepByStep(client, migration, { beyond, distributed, tableTimeoutMs })
        : asOne(client, migration, { beyond, distributed, tableTimeoutMs })
      ).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      if (!failure) return
      if (!gaveWay(failure.error)) throw failed(name, failure.error)
      // a long attempt had its tables and was working, so it does not count as waiting
      waitedMs += Math.min(performance.now() - triedMs, patienceMs / 12)
      if (waitedMs > patienceMs) throw crowdedOut(name, patienceMs, failure.error)
      if (!told && waitedMs > toldAfterMs) {
        told = true
        say(`Migration ${name} waits for tables in use and tries again for ${patienceMs / 1_000} s.`)
      }
      const pauseMs = tableTimeoutMs * (0.5 + 2 * Math.random())
      await wait(pauseMs)
      waitedMs += pauseMs
    }
  } finally {
    clearInterval(progress)
  }
}

interface MigrationMode {
  beyond: (client: pg.Client) => Promise<void>
  distributed: boolean
  /** how long an attempt waits for tables in use */
  tableTimeoutMs: number
}

/**
 * Applies a migration in one transaction. It first locks all its tables. So it never waits after it has changed something,
 * and causes no deadlock, whichever locks others take on these tables.
 */
async function asOne(client: pg.Client, migration: Migration, { beyond, distributed, tableTimeoutMs }: MigrationMode) {
  await begin(client)
  try {
    if (distributed) await client.query(onNodesInTurn)
    await client.query(`set local lock_timeout = ${tableTimeoutMs}`)
    const tables = await tablesIn(client, migration)
    if (tables.length > 0) await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
    await client.query("set local lock_timeout = '10s'")
    // first, so that a second process that gets this far fails here
    await record(client, migration)
    for (const statement of statementsOf(migration)) await (distributed ? onNodes : plainly)(client, statement)
    await beyond(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Applies a migration statement by statement. After giving way it starts again, as each statement tolerates finished work. */
async function stepByStep(
  client: pg.Client,
  migration: Migration,
  { beyond, distributed, tableTimeoutMs }: MigrationMode,
) {
  // an index exists but is invalid if its build was interrupted
  for (const index of await invalidIn(client, migration)) await client.query(`drop index concurrently ${index}`)
  for (const statement of statementsOf(migration)) {
    const lockTimeoutMs = takesTables.test(statement) ? tableTimeoutMs : 0
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    await (distributed ? onNodes : plainly)(client, statement)
  }
  await client.query('reset lock_timeout')
  await beyond(client)
  await record(client, migration)
}

// CREATE INDEX CONCURRENTLY waits for writers without blocking them; bounded: our own migrations
const takesTables = /^(create|alter|drop)\b(?!.*\bconcurrently\b)/is

/** Splits a text at commas outside of parentheses and quotes. */
function listed(text: string): string[] {
  let depth = 0
  const parts = ['']
  for (const [piece] of text.matchAll(/'[^']*'|[^']/gs)) {
    if (piece === '(') depth++
    if (piece === ')') depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const plainly = (client: pg.Client, statement: string) => client.query(statement)

/** Citus lets a new table refer to distributed tables only while the nodes do not know it. After that it is distributed too. */
async function onNodes(client: pg.Client, statement: string) {
  const [, altering, changes] = /^(alter table \S+)\s+(.+)$/is.exec(statement) ?? []
  // Citus accepts a constraint only in its own statement
  for (const change of listed(changes ?? '')) await client.query(`${altering} ${change}`)
  if (altering !== undefined) return
  if (!/^create table/i.test(statement)) {
    await client.query(statement)
    return
  }
  await client.query('set citus.enable_ddl_propagation = off')
  await client.query(statement)
  await client.query('reset citus.enable_ddl_propagation')
  await distributeTables(client)
}

// Citus allows little after a statement on all nodes at once; `set local` must reach the nodes too
const onNodesInTurn = `set local citus.multi_shard_modify_mode = 'sequential';
  set local citus.propagate_set_commands = 'local'`

const record = (client: pg.Client, { name, hash }: Migration) =>
  client.query('insert into migrations (name, applied_at, hash) values ($1, $2, $3)', [name, new Date(), hash])

async function tablesIn(client: pg.Client, migration: Migration): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct tables.oid::regclass::text as name from pg_class named
     left join pg_index on indexrelid = named.oid
     join pg_class tables on tables.oid = coalesce(indrelid, named.oid)
     where named.relname = any($1::text[]) and named.relnamespace = current_schema()::regnamespace
       and tables.relkind in ('r', 'p') order by 1`,
    [wordsOf(migration)],
  )
  return rows.map(({ name }) => name)
}

async function invalidIn(client: pg.Client, migration: Migration): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid
     where not indisvalid and relname = any($1::text[]) and relnamespace = current_schema()::regnamespace`,
    [wordsOf(migration)],
  )
  return rows.map(({ name }) => name)
}

// a lock timeout, a deadlock, a serialization failure
const gaveWay = (error: unknown) => ['55P03', '40P01', '40001'].includes(String((error as { code?: string }).code))

function failed(name: string, cause: unknown): StartupProblem {
  return new StartupProblem(`Migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause })
}

function crowdedOut(name: string, patienceMs: number, cause: unknown): StartupProblem {
  return new StartupProblem(
    `Migration ${name} could not lock its tables within ${patienceMs / 1_000} s (${(cause as Error).message}): ` +
      'end the long transactions that use them, or the servers that write, then start again.',
    { cause },
  )
}
