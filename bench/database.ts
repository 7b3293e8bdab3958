import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import pg from 'pg'
import { migrate, openEmbeddedPostgres } from '../server/src/for-tools.ts'
import type { Data } from './load/data.ts'
import { load } from './load/load.ts'
import { fewBeside, full, type Shape, small } from './load/shape.ts'
import { parentOf } from './processor.ts'

/** A database that is filled. */
export interface Filled {
  url: string
  /** where `data` is kept, with the keys of the callers */
  file: string
  data: Data
}

/** The PostgreSQL of a run: embedded, below `bench/data`, or the one of DATABASE_URL. */
interface Store {
  /** all of the data */
  all: Filled
  /** the same ordinary organization with a hundredth of the others' data */
  few: Filled | undefined
  /** the settings with which `taskwright serve` opens `all`: it starts the embedded PostgreSQL by itself */
  settings: Record<string, string>
  /** where the log of a server goes */
  logFile(name: string): string
  stop(): Promise<void>
}

interface Wanted {
  /** a fiftieth of the data */
  small: boolean
  /** whether the second one is wanted */
  beside: boolean
  /** made again, whatever there is */
  fresh: boolean
}

// another way of making them is another version
const version = 5
const migrations = new URL('../server/migrations/', import.meta.url)

/** Opens the databases; those that are not there yet, or were made otherwise, are made. */
export async function openStore({ small: isSmall, beside, fresh }: Wanted): Promise<Store> {
  const size = isSmall ? 'small' : 'full'
  const shape = isSmall ? small : full
  const directory = new URL(`data/${size}/`, import.meta.url).pathname
  await mkdir(directory, { recursive: true })
  const given = process.env.DATABASE_URL
  const { url, name, stop } = given
    ? { url: given, name: isSmall ? 'taskwright_bench_small' : 'taskwright_bench', stop: async () => {} }
    : await openEmbedded(directory)
  try {
    const place = given ? 'given' : 'embedded'
    const all = await filled(url, name, `${directory}${place}.json`, shape, fresh)
    const few = beside
      ? await filled(url, `${name}_few`, `${directory}${place}-few.json`, fewBeside(shape), fresh)
      : undefined
    const settings: Record<string, string> = given ? { DATABASE_URL: all.url } : { DATA_DIR: directory }
    return { all, few, settings, logFile: (name) => `${directory}${name}.log`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface EmptyStore extends Pick<Store, 'settings' | 'logFile' | 'stop'> {
  /** Has it run without the server. @returns where it is, and how to leave it to the server */
  open(): Promise<{ url: string; close(): Promise<void> }>
  /** where its tables are once the server has made them */
  url(): Promise<string>
}

/** An empty database: in the PostgreSQL of DATABASE_URL, or in an embedded one that the server makes. It goes afterwards. */
export async function openEmptyStore(): Promise<EmptyStore> {
  const directory = new URL('data/noisy/', import.meta.url).pathname
  const clear = () => rm(directory, { recursive: true, force: true })
  await clear()
  const given = process.env.DATABASE_URL
  const name = 'taskwright_bench_noisy'
  const logs = new URL('data/', import.meta.url).pathname
  await mkdir(logs, { recursive: true })
  const logFile = (name: string) => `${logs}${name}.log`
  if (given === undefined) {
    // the server's own, which stops it
    const opened = async () => (await openEmbedded(directory)).url
    const open = async () => {
      const { url, stop } = await openEmbedded(directory)
      return { url, close: stop }
    }
    return { settings: { DATA_DIR: directory }, logFile, stop: clear, url: opened, open }
  }
  const url = new URL(given)
  url.pathname = `/${name}`
  await recreate(given, url, name)
  const drop = () => query(given, `drop database if exists ${name} with (force)`)
  const settings = { DATABASE_URL: String(url) }
  const open = async () => ({ url: String(url), close: async () => {} })
  return { settings, logFile, stop: async () => void (await drop()), url: async () => String(url), open }
}

/** The cluster's own database is the one that `taskwright serve` opens. */
async function openEmbedded(directory: string) {
  const embedded = await openEmbeddedPostgres({ dataDir: directory, say })
  const { host, port, user, database } = embedded.connection
  const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  return { url, name: database, stop: () => embedded.stop() }
}

async function filled(server: string, name: string, file: string, shape: Shape, fresh: boolean): Promise<Filled> {
  const url = new URL(server)
  url.pathname = `/${name}`
  const form = JSON.stringify({ version, ...shape, schema: (await readdir(migrations)).sort() })
  const known = fresh ? undefined : await knownIn(file)
  if (known?.form === form && (await holds(String(url), known))) {
    for (const orgId of [known.writing.orgId, known.ordinary.owner.orgId]) await forgetWrites(String(url), orgId)
    return { url: String(url), file, data: known }
  }
  say(`Filling ${name}: ${shape.bigTasks.toLocaleString('en-US')} tasks in its big organization …`)
  await recreate(server, url, name)
  await migrate({ connectionString: String(url) })
  const data = await load({ connectionString: String(url) }, shape, form, thisMidnightMs())
  await query(String(url), 'vacuum analyze')
  await query(String(url), 'checkpoint').catch(() => {})
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(data), { mode: 0o600 })
  return { url: String(url), file, data }
}

const thisMidnightMs = () => Math.floor(Date.now() / 86_400_000) * 86_400_000

async function knownIn(file: string): Promise<Data | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Data)
}

/** Whether the database is there and holds these data. */
async function holds(url: string, { big }: Data): Promise<boolean> {
  const hash = 'select 1 from api_keys where org_id = $1 and id = $2'
  return query(url, hash, [big.orgId, big.callers.owner.keyId]).then(
    (rows) => rows.length === 1,
    () => false,
  )
}

/** The first process of a PostgreSQL; undefined where it runs elsewhere. */
export async function postmasterOf(url: string): Promise<number | undefined> {
  const [other] = await query(url, "select pid from pg_stat_activity where backend_type = 'checkpointer'")
  return parentOf(Number(other?.pid), 'postgres')
}

/** Takes away what runs before this one wrote in an organization, so that each begins with the same data. */
async function forgetWrites(url: string, orgId: string): Promise<void> {
  const [counter] = await query(url, 'select last_sequence from event_counters where org_id = $1', [orgId])
  if (counter?.last_sequence === '0') return
  say('Taking away what the run before wrote …')
  const entries = 'select resource_id from events where org_id = $1'
  await query(url, `delete from time_entries where org_id = $1 and id in (${entries})`, [orgId])
  for (const table of ['deliveries', 'webhooks', 'events'])
    await query(url, `delete from ${table} where org_id = $1`, [orgId])
  await query(url, 'delete from idempotency_keys where org_id = $1', [orgId])
  await query(url, 'update event_counters set last_sequence = 0 where org_id = $1', [orgId])
  await query(url, 'vacuum analyze time_entries, events, deliveries, idempotency_keys, event_counters')
}

/** A database on a server is made under its name; the embedded cluster's own, from another one. */
async function recreate(server: string, url: URL, name: string): Promise<void> {
  const from = new URL(server)
  if (from.pathname === url.pathname) from.pathname = '/template1'
  await query(String(from), `drop database if exists ${name} with (force)`)
  await query(String(from), `create database ${name}`)
}

/** One statement on a connection of its own. */
export async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`)
