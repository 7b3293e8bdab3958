import pg from 'pg'
import { StartupProblem } from './startup-problem.ts'

const genericPlan = {
  timezone: 'UTC',
  datestyle: 'ISO',
  // most statements have one good plan, and planning a page takes longer than reading it; others say `sql.customPlan`
  plan_cache_mode: 'force_generic_plan',
  // a generic plan lives as long as the connection: a sequential scan is right for a small table, and wrong once it has grown
  enable_seqscan: 'off',
  // data is in memory or on an SSD
  random_page_cost: '1.1',
  // a report over millions of rows aggregates in memory; sorting them on disk takes ten times as long
  work_mem: '32MB',
  // compiling a report's statement takes longer than running it
  jit: 'off',
  // starting a parallel worker takes milliseconds of a processor that others wait for: a long report is worth it, a page is not
  parallel_setup_cost: '20000',
}

/** The settings of a statement planned for its values. Its plan is used once, so a sequential scan is allowed. */
export const customPlan = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on' }

/**
 * Settings for the nodes of a Citus cluster. Session settings reach only the coordinator, so these are set on the database. The
 * nodes plan each statement for its values.
 */
export const settingsOfNodes = {
  timezone: genericPlan.timezone,
  datestyle: genericPlan.datestyle,
  random_page_cost: genericPlan.random_page_cost,
  work_mem: genericPlan.work_mem,
  jit: genericPlan.jit,
  // as long as a write waits; the nodes also get the settings of a transaction
  lock_timeout: '3s',
  'citus.propagate_set_commands': 'local',
}

// only the settings that affect how values are parsed
const valueFormats = { timezone: genericPlan.timezone, datestyle: genericPlan.datestyle }

// our BEGIN says read write: if it fails, the statements after it can change nothing
const readOnlyByDefault = { default_transaction_read_only: 'on' }

/** The settings of a connection by its purpose: reads, transactions, commands, or copying very many rows. */
export const sessionSettings = {
  reads: genericPlan,
  writes: { ...genericPlan, ...readOnlyByDefault },
  plain: valueFormats,
  copy: { ...valueFormats, ...readOnlyByDefault },
}

export type SessionSettings = Readonly<Record<string, string>>

/** The statement that applies the settings to a connection and returns the resulting values. */
const setStatement = (wanted: SessionSettings): string => {
  const each = Object.entries(wanted).map(
    ([name, value]) => `set_config('${name}', ${settingValue(name, value)}, false) as ${name}`,
  )
  return `select ${each.join(', ')}, current_setting('transaction_read_only') as before, pg_backend_pid() as pid`
}

// Citus routes a statement by its values and refuses most generic plans
const settingValue = (name: string, value: string) =>
  name === 'plan_cache_mode' && value === 'force_generic_plan'
    ? `case when exists (select from pg_extension where extname = 'citus') then 'auto' else '${value}' end`
    : `'${value}'`

/**
 * Applies the settings to a new connection. It sends a statement, as poolers accept no startup options.
 * @returns whether a pooler is in between: its process id differs from the backend's
 * @throws StartupProblem if times would be read wrongly
 */
export async function setSession(client: pg.ClientBase, wanted: SessionSettings): Promise<boolean> {
  // a pooler may accept a connection long before it has a backend for it
  const asked = { text: setStatement(wanted), query_timeout: setUpMs }
  const { rows } = await client.query<Record<string, string>>(asked)
  const { timezone, datestyle, before, pid } = rows[0] ?? {}
  if (timezone !== genericPlan.timezone || !datestyle?.startsWith(genericPlan.datestyle)) {
    throw new StartupProblem(
      `The database does not let its connections be set to the time zone UTC and dates in ISO, but has ${timezone} and ${datestyle}: times would be wrong.`,
    )
  }
  if ('default_transaction_read_only' in wanted && before === 'on') {
    throw Object.assign(new Error('The database only reads'), { code: '25006' })
  }
  if (before === 'on') readOnlySince.set(client, performance.now())
  backends.set(client, Number(pid))
  // the driver keeps the process id that PostgreSQL or a pooler sent at the start; its types lack it
  const { processID: announced } = client as pg.ClientBase & { processID?: number | null }
  return announced !== Number(pid)
}

const backends = new WeakMap<pg.ClientBase, number>()

/** The process id of a connection's backend, once its session is set up. */
export const backendOf = (client: pg.ClientBase): number | undefined => backends.get(client)

const setUpMs = 10_000

const readOnlySince = new WeakMap<pg.ClientBase, number>()

/**
 * How long a connection may still be used. A connection to a read-only server, such as a standby, lasts only seconds. Soon
 * another server may take writes, and a standby learns of it later.
 */
export function usableForMs(client: pg.ClientBase): number {
  const since = readOnlySince.get(client)
  return since === undefined ? Number.POSITIVE_INFINITY : since + standbyMs - performance.now()
}

const standbyMs = 5_000

const uuidArray = 2951

// timestamps become the text that clients get (RFC 3339, UTC, milliseconds), dates stay text, bigint becomes a number
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (text) =>
    `${text.slice(0, 10)}T${text.slice(11, -3).padEnd(9, '.').padEnd(12, '0')}Z`,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: Number,
  // a uuid is never quoted; the driver's parser of arrays reads each character, at ten times the cost
  [uuidArray]: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',')),
}
/** Parsers for the values of results. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** A client outside of the pools, not yet connected, without the time limits of requests. */
export function plainClient(connection: pg.ClientConfig, name: string): pg.Client {
  const client = new pg.Client({
    connectionTimeoutMillis: 10_000,
    // a statement here may take minutes, and only keepalive shows that the other side is gone
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    ...connection,
    application_name: name,
  })
  // after a break between two statements, the next one fails anyway
  client.on('error', () => {})
  return client
}
