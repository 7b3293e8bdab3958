import pg from 'pg'

const chosen = {
  timezone: 'UTC',
  datestyle: 'ISO',
  // most statements have one good plan, and planning a page takes longer than reading it; others say `sql.anew`
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
const chosenAnew = { ...chosen, plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on' }

const said = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** What a connection is set to, as it is said when it is made: for plans that are kept, or for statements planned anew. */
export const settings = { kept: said(chosen), anew: said(chosenAnew) }

// nothing but what values are read by
const plainSettings = said({ timezone: chosen.timezone, datestyle: chosen.datestyle })

/** A connection with settings that prevail over those that whoever gave it asks for. */
export const withSettings = (connection: pg.ClientConfig, ours: string): pg.ClientConfig => ({
  ...connection,
  options: `${connection.options ?? ''} ${ours}`.trim(),
})

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
    ...withSettings(connection, plainSettings),
    application_name: name,
  })
  // what breaks between two statements is met by the next one
  client.on('error', () => {})
  return client
}
