import pg from 'pg'
import { StartupProblem } from './startup-problem.ts'

const genericPlan = {
  timezone: 'UTC',
  datestyle: 'ISO',
  // most statements have one good plan, and planning a page takes longer than reading it; others say `sql.customPlan`
  plan_cache_mode: 'force_generic_plan',
  // a plan is kept as long as the connection: to read a whole table is right while it is small, and then never again
  enable_seqscan: 'off',
  // rows are in memory, or on disks that do not turn
  random_page_cost: '1.1',
  // a report over millions of rows sums up in memory; sorting them on disk takes ten times as long
  work_mem: '32MB',
  // to compile the statement of a report takes longer than to run it
  jit: 'off',
}

// such a plan is for once, so a whole table may be read
const customPlan = { ...genericPlan, plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on' }

// nothing but what values are read by
const valueFormats = { timezone: genericPlan.timezone, datestyle: genericPlan.datestyle }

// outside of a transaction that says otherwise: what follows a BEGIN that failed must change nothing
const readOnlyByDefault = { default_transaction_read_only: 'on' }

/**
 * What a connection is for: plans that are kept, statements planned anew, transactions, whatever a command does, or one
 * transaction of very many rows.
 */
export const sessionSettings = {
  genericPlan,
  customPlan,
  writes: { ...genericPlan, ...readOnlyByDefault },
  plain: valueFormats,
  copy: { ...valueFormats, ...readOnlyByDefault },
}

export type SessionSettings = Readonly<Record<string, string>>

/** The statement that sets a connection to what it is for, and says what came of it. */
export const setStatement = (wanted: SessionSettings): string => {
  const each = Object.entries(wanted).map(([name, value]) => `set_config('${name}', '${value}', false) as ${name}`)
  return `select ${each.join(', ')}, current_setting('transaction_read_only') as before, pg_backend_pid() as pid`
}

/**
 * Sets a new connection to what it is for. By a statement, as poolers take no options of a start.
 * @returns whether it leads to a pooler: that says another number than the backend does
 * @throws StartupProblem when times would be read wrongly
 */
export async function setSession(client: pg.ClientBase, wanted: SessionSettings): Promise<boolean> {
  // a pooler may let somebody in long before it has a backend
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
  const known = client as pg.ClientBase & { processID: number | null }
  const said = known.processID
  known.processID = Number(pid)
  return said !== known.processID
}

const setUpMs = 10_000

const readOnlySince = new WeakMap<pg.ClientBase, number>()

/**
 * How long a connection is to be used: of a server that only reads, as a standby does, not for long, for soon there may be
 * one that takes writes, and a standby knows of them later.
 */
export function usableForMs(client: pg.ClientBase): number {
  const since = readOnlySince.get(client)
  return since === undefined ? Number.POSITIVE_INFINITY : since + standbyMs - performance.now()
}

const standbyMs = 5_000

// timestamps leave as the text that the client gets (RFC 3339, UTC, milliseconds), dates as they are, bigint as number
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (text) =>
    `${text.slice(0, 10)}T${text.slice(11, -3).padEnd(9, '.').padEnd(12, '0')}Z`,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: Number,
}
/** How values are read. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers[oid] ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** A connection beside the pools, not yet connected: without the time limits of a request once it is. */
export function plainClient(connection: pg.ClientConfig, name: string): pg.Client {
  const client = new pg.Client({
    connectionTimeoutMillis: 10_000,
    ...connection,
    application_name: name,
  })
  // what breaks between two statements is met by the next one
  client.on('error', () => {})
  return client
}
