import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { settingsOfNodes } from '../../src/db/pool/session.ts'

/** Whether the tests run on a Citus cluster: that of TEST_CITUS, or with `1` a throw-away one. */
export const onCitus = (process.env.TEST_CITUS ?? '') !== ''

/** For a test that a Citus cluster cannot pass. @param why such as `it looks into plans of one PostgreSQL` */
export const onPlainPostgres = (why: string) => (onCitus ? { skip: `not on Citus: ${why}` } : {})

/** The files of which a Citus cluster can pass none, and why. */
export const filesNotOnCitus: Record<string, string> = {
  'lists/plans.test.ts': 'it looks into the plans of one PostgreSQL',
  'lists/due-ranges.test.ts': 'it fills tables by statements of one PostgreSQL, and looks into its plans',
  'lists/forced-plans.test.ts': 'it fills tables by statements of one PostgreSQL, and forces its plans',
  'lists/large-beside-small.test.ts': 'it looks into the plans of one PostgreSQL',
  'search/many-tasks.test.ts':
    'it fills tables by statements of one PostgreSQL, and looks into its plans; smaller tests of search ask for the same',
  'search/beside-filters.test.ts': 'it fills tables by statements of one PostgreSQL, and looks into its plans',
  'resources/search/plans.test.ts': 'it looks into the plans of one PostgreSQL',
  'resources/search/without-statistics.test.ts': 'it looks into the plans of one PostgreSQL',
  'jobs/purge-plans.test.ts': 'it looks into the plans of one PostgreSQL',
  'jobs/deliveries/plans.test.ts': 'it looks into the plans of one PostgreSQL',
  ...Object.fromEntries(
    ['beside', 'commands', 'hostile', 'organization', 'refused', 'restored'].map((name) => [
      `db/backup/${name}.test.ts`,
      'a cluster has no common snapshot: db/backup/citus.test.ts',
    ]),
  ),
  'faults/archives.test.ts': 'a cluster has no common snapshot: db/backup/citus.test.ts',
  'jobs/backing-up.test.ts': 'a cluster has no common snapshot: db/backup/citus.test.ts',
  'db/failing-disk.test.ts': 'it lets the disk of one PostgreSQL fail',
  'db/one-organization.test.ts':
    'it looks into the plans of one PostgreSQL; db/citus.test.ts looks at the shards instead',
}

/** For a test of what only a Citus cluster has. */
export const onlyOnCitus = onCitus ? {} : { skip: 'only on Citus: with TEST_CITUS' }

interface Node {
  host: string
  port: number
}

/**
 * Makes a database on every node of the cluster.
 * @param url of any database of the coordinator in which the nodes know each other
 * @param like the name of one that is copied on each node, or none: then it is empty, and the nodes know each other in it
 */
export async function makeOnNodes(url: string, name: string, like: string | undefined): Promise<void> {
  for (const node of await nodesOf(url)) {
    const here = at(url, node)
    if (like === undefined) await run(here, `create database ${name}`)
    else await copy(here, name, like)
    // what is written may be lost with the power; on a slow machine a lock may take long
    const settings = { ...(like && settingsOfNodes), synchronous_commit: 'off', lock_timeout: '60000' }
    await run(here, ...Object.entries(settings).map(([it, value]) => `alter database ${name} set ${it} = '${value}'`))
  }
  if (like === undefined) await joinNodes(named(url, name), url)
}

/**
 * Makes a database that is on every node one of Citus, in which they know each other.
 * @param known one in which they do
 */
export async function joinNodes(url: string, known: string): Promise<void> {
  const nodes = await nodesOf(known)
  const [coordinator, ...workers] = nodes
  for (const node of nodes) await run(at(url, node), 'create extension if not exists citus')
  const address = (node: Node | undefined) => `'${node?.host}', ${node?.port}`
  const adding = workers.map((node) => `select citus_add_node(${address(node)})`)
  await run(url, `select citus_set_coordinator_host(${address(coordinator)})`, ...adding)
}

/** What is set for a database, on each node. */
export async function settingsOnNodes(url: string): Promise<string[][]> {
  const given: string[][] = []
  for (const node of await nodesOf(url)) {
    const [rows = []] = await run(
      at(url, node),
      `
      select unnest(setconfig) as one from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
      where setrole = 0 and datname = current_database()`,
    )
    given.push((rows as { one: string }[]).map(({ one }) => one))
  }
  return given
}

/** Drops it from every node. */
export async function dropOnNodes(url: string, name: string): Promise<void> {
  for (const node of await nodesOf(url)) await run(at(url, node), `drop database if exists ${name} with (force)`)
}

/** The coordinator first. */
async function nodesOf(url: string): Promise<Node[]> {
  const [rows = []] = await run(
    url,
    `select nodename as host, nodeport as port from pg_dist_node where isactive and noderole = 'primary' order by groupid`,
  )
  return rows as Node[]
}

/** Nobody may be connected to what is copied: not even what Citus itself runs there. */
async function copy(url: string, name: string, like: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await run(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${like}'`)
    const failure = await run(url, `create database ${name} template ${like}`).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure === undefined) return
    if ((failure as { code?: string }).code !== '55006' || tries === 20) throw failure
    await wait(100)
  }
}

function at(url: string, { host, port }: Node): string {
  const made = new URL(url)
  made.host = `${host}:${port}`
  return String(made)
}

function named(url: string, name: string): string {
  const made = new URL(url)
  made.pathname = `/${name}`
  return String(made)
}

async function run(url: string, ...statements: string[]): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const answers: unknown[][] = []
    for (const statement of statements) answers.push((await client.query(statement)).rows)
    return answers
  } finally {
    await client.end()
  }
}
