import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './install.mjs'

const usage = `node scripts/citus.mjs [options]

  A throw-away Citus cluster on this machine, until Ctrl-C. The last line that it prints is the DATABASE_URL.

  --workers <number>  nodes beside the coordinator (2)
  --shards <number>   shards of each table (8)
  --back <seconds>    after which a node that was killed is started again (5)
  --bin <directory>   where the programs of a PostgreSQL with Citus are (those that pg_config names, or else the newest
                      below /usr/lib/postgresql)`

const howToInstall = `There is no Citus here: install the package postgresql-<version>-citus-<version> from the package repository of Citus
(https://docs.citusdata.com, Installation, Multi-Node), or have --bin name the programs of a PostgreSQL that has it.`

const text = { type: 'string' }
const options = { help: { type: 'boolean', short: 'h' }, workers: text, shards: text, back: text, bin: text }

// tests create a database for each server, with a Citus worker in each node, and keep connections to many of them
const settings = ({ port, shards }) => `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = ${port}
shared_preload_libraries = 'citus'
citus.local_hostname = '127.0.0.1'
citus.node_conninfo = 'sslmode=disable'
citus.shard_count = ${shards}
citus.enable_statistics_collection = off
wal_level = logical
max_connections = 600
max_prepared_transactions = 600
max_worker_processes = 300
max_wal_senders = 40
max_replication_slots = 40
max_locks_per_transaction = 512
shared_buffers = 128MB
fsync = off
`

process.exitCode = await main()

async function main() {
  const { workers = '2', shards = '8', back = '5', bin, help } = parseArgs({ options }).values
  const programs = help ? undefined : programsWithCitus(bin)
  if (programs === undefined) {
    process[help ? 'stdout' : 'stderr'].write(`${help ? usage : howToInstall}\n`)
    return help ? 0 : 2
  }
  ensureInstalled()
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve())
  })
  const folder = mkdtempSync(join(tmpdir(), 'taskwright-citus-'))
  const nodes = []
  try {
    const cluster = { folder, programs, account: accountOfDatabases(), password: randomBytes(16).toString('hex') }
    initialize(cluster)
    for (let i = 0; i <= Number(workers); i++)
      nodes.push(await openNode(cluster, i, { shards: Number(shards), back: Number(back) }))
    await connect(cluster, nodes)
    say(urlOf(cluster, nodes[0], 'taskwright'))
    await interrupted
    return 0
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The named version, else the newest installed one. */
function programsWithCitus(named) {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).sort((one, other) => Number(other) - Number(one)) : []
  const candidates = named
    ? [named]
    : [said('pg_config', '--bindir'), ...versions.map((version) => join(installed, version, 'bin'))]
  return candidates.find(
    (bin) => bin && existsSync(join(said(join(bin, 'pg_config'), '--pkglibdir') ?? bin, 'citus.so')),
  )
}

function said(program, ...words) {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** PostgreSQL refuses to run as root. */
function accountOfDatabases() {
  if (process.geteuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((which) => said('id', which, 'postgres'))
  if (uid === undefined)
    throw new Error('PostgreSQL cannot run as root, and there is no account postgres: start this as another one.')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Creates the files that all nodes start with. */
function initialize({ folder, programs, account, password }) {
  const { uid, gid } = account
  // the nodes use it to connect to each other
  writeFileSync(join(folder, 'passwords'), `*:*:*:*:${password}`, { mode: 0o600 })
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
  if (uid !== undefined) for (const path of ['', 'passwords', 'password']) chownSync(join(folder, path), uid, gid)
  chmodSync(folder, 0o700)
  const cluster = join(folder, 'node')
  const how = [
    '--auth=md5',
    '--username=postgres',
    `--pwfile=${join(folder, 'password')}`,
    '--encoding=UTF8',
    '--locale=C',
  ]
  execFileSync(join(programs, 'initdb'), ['-D', cluster, '--no-sync', ...how], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** A node. It restarts when it ends by itself, until `stop`. */
async function openNode({ folder, programs, account }, number, { shards, back }) {
  const [directory, port, log] = [join(folder, `node${number}`), await freePort(), join(folder, `log${number}`)]
  execFileSync('cp', ['-Rp', join(folder, 'node'), directory])
  appendFileSync(join(directory, 'postgresql.conf'), settings({ port, shards }))
  const over = new AbortController()
  let postmaster
  const run = () => {
    postmaster = spawn(join(programs, 'postgres'), ['-D', directory], {
      ...account,
      cwd: folder,
      // Ctrl-C must reach only this process, which then ends the nodes
      detached: true,
      env: { ...process.env, PGPASSFILE: join(folder, 'passwords') },
      stdio: ['ignore', 'ignore', openSync(log, 'a')],
    })
    say(`port ${port}, process ${postmaster.pid}`)
    return new Promise((resolve) => postmaster.once('close', resolve))
  }
  const ended = (async () => {
    for (;;) {
      await run()
      if (over.signal.aborted) return
      say(`The node on port ${port} ended; it is started again in ${back} s.`)
      await wait(back * 1_000, undefined, { signal: over.signal }).catch(() => {})
      if (over.signal.aborted) return
    }
  })()
  return {
    port,
    lastWords: () => readFileSync(log, 'utf8').slice(-1_000),
    // stops at once, because no data is kept
    stop() {
      over.abort()
      postmaster.kill('SIGQUIT')
      return ended
    },
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Creates the database and connects the nodes. */
async function connect(cluster, nodes) {
  const { default: pg } = await import('pg')
  const run = async (node, database, ...statements) => {
    const client = new pg.Client({ connectionString: urlOf(cluster, node, database) })
    client.on('error', () => {})
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  for (const node of nodes) {
    await untilUp(node, () => run(node, 'postgres'))
    await run(node, 'postgres', 'create database taskwright')
    await run(node, 'taskwright', 'create extension citus')
  }
  const [coordinator, ...workers] = nodes
  const adding = workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`)
  await run(coordinator, 'taskwright', `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`, ...adding)
}

async function untilUp(node, ask) {
  for (let tries = 1; ; tries++) {
    const failure = await ask().then(
      () => undefined,
      (error) => error,
    )
    if (failure === undefined) return
    if (tries === 300) throw new Error(`A node does not start:\n${node.lastWords()}`, { cause: failure })
    await wait(100)
  }
}

function urlOf({ password }, { port }, database) {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`)
}
