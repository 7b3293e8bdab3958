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
  // a report over millions of rows sums up in memory; sorting them on disk takes ten times as long
  work_mem: '32MB',
  // compiling a report's statement takes longer than running it
  jit: 'off',
  // to start a process beside takes milliseconds of a processor that others wait for: it is worth it for a long report, not for a page
  parallel_setup_cost: '20000',
}

/** What differs for a statement that is planned for its values: its plan is used once, so a sequential scan is allowed. */
export const customPlan = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on' }

/**
 * What the nodes of a Citus cluster cannot learn from these settings, as it is of connections to the coordinator alone: it is
 * set for the database. They plan each statement for its values.
 */
export const settingsOfNodes = {
  timezone: genericPlan.timezone,
  datestyle: genericPlan.datestyle,
  random_page_cost: genericPlan.random_page_cost,
  work_mem: genericPlan.work_mem,
  jit: genericPlan.jit,
  // as long as a write waits; what a transaction sets for itself reaches the nodes too
  lock_timeout: '3s',
  'citus.propagate_set_commands': 'local',
}

// only what decides how values are parsed
const valueFormats = { timezone: genericPlan.timezone, datestyle: genericPlan.datestyle }

// our BEGIN says read write: if it fails, the statements behind it can change nothing
const readOnlyByDefault = { default_transaction_read_only: 'on' }

/** What a connection is for: reads, transactions, commands, or copying very many rows. */
export const sessionSettings = {
  reads: genericPlan,
  writes: { ...genericPlan, ...readOnlyByDefault },
  plain: valueFormats,
  copy: { ...valueFormats, ...readOnlyByDefault },
}

export type SessionSettings = Readonly<Record<string, string>>

/** The statement that applies the settings to a connection, and returns the values that it has then. */
const setStatement = (wanted: SessionSettings): string => {
  const each = Object.entries(wanted).map(
    ([name, value]) => `set_config('${name}', ${settingValue(name, value)}, false) as ${name}`,
  )
  return `select ${each.join(', ')}, current_setting('transaction_read_only') as before, pg_backend_pid() as pid`
}

// for Citus the nodes of a statement are decided by its values: with those left open it refuses most
const settingValue = (name: string, value: string) =>
  name === 'plan_cache_mode' && value === 'force_generic_plan'
    ? `case when exists (select from pg_extension where extname = 'citus') then 'auto' else '${value}' end`
    : `'${value}'`

/**
 * Applies the settings to a new connection. It sends a statement, as poolers accept no startup options.
 * @returns whether there is a pooler in between: its process id differs from the backend's
 * @throws StartupProblem when times would be read wrongly
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
  // the driver keeps what PostgreSQL, or a pooler, told it at the start; its types do not have it
  const { processID: announced } = client as pg.ClientBase & { processID?: number | null }
  return announced !== Number(pid)
}

const backends = new WeakMap<pg.ClientBase, number>()

/** The number of the backend of a connection with a session. */
export const backendOf = (client: pg.ClientBase): number | undefined => backends.get(client)

const setUpMs = 10_000

const readOnlySince = new WeakMap<pg.ClientBase, number>()

/**
 * How long a connection may be used. One to a read-only server, such as a standby, only for seconds: soon there may be a
 * server that takes writes, of which a standby learns later.
 */
export function usableForMs(client: pg.ClientBase): number {
  const since = readOnlySince.get(client)
  return since === undefined ? Number.POSITIVE_INFINITY : since + standbyMs - performance.now()
}

const standbyMs = 5_000

const uuidArray = 2951

// timestamps leave as the text that the client gets (RFC 3339, UTC, milliseconds), dates as they are, bigint as number
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (text) =>
    `${text.slice(0, 10)}T${text.slice(11, -3).padEnd(9, '.').padEnd(12, '0')}Z`,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: Number,
  // no uuid is quoted; the driver reads arrays character by character, at ten times the cost
  [uuidArray]: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',')),
}
/** How values are read. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** A client outside of the pools, not yet connected, without the time limits of requests. */
export function plainClient(connection: pg.ClientConfig, name: string): pg.Client {
  const client = new pg.Client({
    connectionTimeoutMillis: 10_000,
    // where a statement may take minutes, nothing else tells that nobody is there any more
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    ...connection,
    application_name: name,
  })
  // a connection that breaks between two statements makes the next one fail
  client.on('error', () => {})
  return client
}
