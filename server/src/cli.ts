import cluster from 'node:cluster'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { newKey, readKey } from './access/keys.ts'
import { type Config, ConfigProblem, readConfig } from './config.ts'
import { Email, Name } from './contract/fields.ts'
import { Database } from './db/database.ts'
import { readSecretKey } from './db/embedded/secret-key.ts'
import { failureOf, isSaidByDatabase } from './db/failures.ts'
import { migrate } from './db/migrations/migrate.ts'
import { sql } from './db/sql.ts'
import { StartupProblem } from './db/startup-problem.ts'
import { grouped, progressOn } from './demo/progress.ts'
import { mostTasks, scaleOf } from './demo/scale.ts'
import { seed } from './demo/seed.ts'
import { changeFromOutside } from './operations/changes.ts'
import { createSecrets } from './operations/secrets.ts'
import { version } from './processes/api-server.ts'
import { type Output, serve } from './processes/serve.ts'
import { onceAborted, stopSignals } from './processes/stop-signals.ts'
import { openStore } from './processes/store.ts'
import { runWorker } from './processes/worker.ts'
import { revokeKey, storeKey } from './resources/api-keys/api-key.ts'
import { revokeDescendants } from './resources/api-keys/lineage.ts'
import { createOrganization } from './resources/organizations/organizations.ts'
import { resealAll } from './resources/webhooks/resealing.ts'

const usage = `taskwright <command>

  serve [--demo]                        start the server (what npm start does); with --demo an empty database is
                                        filled with something to look at
  migrate                               bring the database up to date, and end
  org create --name <name> --owner-name <name> --owner-email <e-mail>
                                        found an organization; prints its id and its owner's API key
  key create [--org <id>] [--email <e-mail>] [--name <name>]
                                        make an API key; prints it. Default: for the first owner
  key revoke <id of the key, or the key> [--descendants]
                                        revoke an API key at once; with --descendants also all keys that were made
                                        with it, with those, and so on
  secret-key change <file with the former key>
                                        seal the secrets of webhooks by SECRET_KEY instead of the former key
  seed [--seed <number>] [--size <tasks>]
                                        make an organization with a year of work in it; prints its id and API keys
                                        Default: seed 1, 2000 tasks
  --version                             print the version

Settings come from the environment; see the README.`

/** What is wrong with a command, in one plain sentence. */
class UsageProblem extends Error {}

/** Somebody stopped a command; the transaction that it had begun is undone. */
class Interruption extends Error {
  constructor(signal: NodeJS.Signals) {
    super(`Stopped (${signal}).`)
  }
}

const output: Output = {
  say: (sentence) => void process.stderr.write(`${sentence}\n`),
  print: (line) => void process.stdout.write(`${line}\n`),
}

/** Runs a command line. @returns the exit code: 0, 1 when it failed, 2 when it was asked wrongly */
export async function run(words: readonly string[]): Promise<number> {
  // what cannot be said, as on a full disk, does not end what is under way
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true })
    if (values.help) {
      output.print(usage)
      return 0
    }
    if (values.version) {
      output.print(await version())
      return 0
    }
    const [noun = 'serve', verb, ...rest] = positionals
    const called = verb === undefined ? noun : `${noun} ${verb}`
    const command = Object.hasOwn(commands, called) ? commands[called] : undefined
    if (command === undefined) throw new UsageProblem(`There is no command '${positionals.join(' ')}'.\n\n${usage}`)
    await command(readConfig(process.env), values, rest)
    return 0
  } catch (error) {
    const asked = error instanceof UsageProblem || error instanceof ConfigProblem || isParseError(error)
    if (asked || error instanceof StartupProblem || error instanceof Interruption)
      return say((error as Error).message, asked ? 2 : 1)
    return say(plainly(error), 1)
  }
}

const text = { type: 'string' } as const
const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  demo: { type: 'boolean' },
  descendants: { type: 'boolean' },
  ...{ name: text, 'owner-name': text, 'owner-email': text, org: text, email: text, seed: text, size: text },
} as const

type Flag = 'help' | 'version' | 'demo' | 'descendants'
type Values = { [option in Exclude<keyof typeof options, Flag>]?: string } & { [option in Flag]?: boolean }

const commands: Record<string, (config: Config, values: Values, rest: string[]) => Promise<void>> = {
  serve: (config, { demo }) => serve(config, output, { demo }),
  // of a server, never of a person
  ...(cluster.isWorker ? { worker: runWorker } : {}),
  migrate: (config) =>
    withDatabase(config, async (_, applied) => {
      output.print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
    }),
  'org create': (config, values) => withDatabase(config, (db) => createOrganizationCommand(db, values)),
  'key create': (config, values) => withDatabase(config, (db) => createKey(db, values)),
  'key revoke': (config, { descendants }, [key]) => withDatabase(config, (db) => revoke(db, key, descendants)),
  'secret-key change': (config, _, [file]) => changeSecretKey(config, file),
  seed(config, values) {
    const wanted = {
      seed: wholeNumber(values, 'seed', 1, { min: 0, max: 2 ** 32 - 1 }),
      tasks: wholeNumber(values, 'size', 2_000, { min: 1, max: mostTasks }),
    }
    return withDatabase(config, (db) => seedOrganization(db, wanted))
  },
}

async function withDatabase(config: Config, work: (db: Database, applied: string[]) => Promise<void>): Promise<void> {
  const { requested } = stopSignals()
  const store = await openStore(config, 'command', output.say, requested)
  const db = new Database({ connection: store.connection, poolSize: 4 })
  const working = migrate(store.connection, undefined, { say: output.say, signal: requested }).then((applied) =>
    work(db, applied),
  )
  try {
    await Promise.race([onceAborted(requested).then((signal) => Promise.reject(new Interruption(signal))), working])
  } catch (error) {
    // PostgreSQL is not left by who is still at work in it
    if (error instanceof Interruption) db.destroySockets()
    throw error
  } finally {
    await db.close()
    await store.close()
  }
}

async function createOrganizationCommand(db: Database, values: Values): Promise<void> {
  const { name, 'owner-name': ownerName, 'owner-email': email } = values
  if (!name || !ownerName || !email) throw new UsageProblem('org create needs --name, --owner-name and --owner-email.')
  const owner = { name: valid('owner-name', Name, ownerName), email: valid('owner-email', Email, email) }
  const founding = { name: valid('name', Name, name), owner }
  const founded = await changeFromOutside(db, (tx, emit, now) => createOrganization(tx, emit, founding, now))
  output.print(`Created the organization ${founded.organization.id}. The API key of its owner, shown only now:`)
  output.print(founded.apiKey.secret)
}

async function createKey(db: Database, { org, email, name = 'Made on the command line' }: Values): Promise<void> {
  const keyName = valid('name', Name, name)
  const holders = await db.rows<{ orgId: string; id: string; orgName: string; email: string }>(sql`
    select members.org_id as "orgId", members.id, organizations.name as "orgName", members.email from members
    join organizations on organizations.org_id = members.org_id
    where members.status = 'active' and members.deleted_at is null
      and (${org ?? null}::text is null or members.org_id::text = ${org?.toLowerCase() ?? null})
      and (members.email = ${email?.toLowerCase() ?? null} or ${email ?? null}::text is null and members.role = 'owner')
    order by members.org_id, members.id limit 100`)
  const [holder] = holders
  if (holder === undefined) throw new UsageProblem('There is no such member. Is the organization or the e-mail right?')
  if (holders.some(({ orgId }) => orgId !== holder.orgId)) {
    const list = [...new Set(holders.map(({ orgId, orgName }) => `  ${orgId}  ${orgName}`))].join('\n')
    throw new UsageProblem(`There is more than one organization; say which one with --org:\n${list}`)
  }
  const key = newKey(holder.orgId)
  const fields = { memberId: holder.id, name: keyName, scopes: ['read', 'write'] }
  await changeFromOutside(db, async (tx, emit, now) => {
    emit('api_key.created', await storeKey(tx, holder.orgId, key, fields, now), { orgId: holder.orgId })
  })
  output.say(`A key for ${holder.email} in ${holder.orgName}, shown only now:`)
  output.print(key.secret)
}

async function revoke(db: Database, given: string | undefined, descendants = false): Promise<void> {
  if (given === undefined) throw new UsageProblem('key revoke needs the id of a key, or the key itself.')
  const read = readKey(given)
  const which = read
    ? sql`org_id = ${read.orgId} and secret_hash = ${read.hash}`
    : sql`id::text = ${given.toLowerCase()}`
  const key = await db.row<{ orgId: string; id: string; revokedAt: string | null }>(sql`
    select org_id as "orgId", id, revoked_at as "revokedAt" from api_keys where ${which}`)
  if (key === undefined) throw new UsageProblem('There is no such key.')
  const { orgId, id, revokedAt } = key
  const revoked = await changeFromOutside(db, async (tx, emit, now) => {
    if (revokedAt === null) emit('api_key.revoked', await revokeKey(tx, orgId, id, now), { orgId })
    return descendants ? revokeDescendants({ db: tx, orgId, emit, now }, id) : 0
  })
  output.print(descendants ? `Revoked ${id}, and ${revoked} more that descend from it.` : `Revoked ${id}.`)
}

async function changeSecretKey(config: Config, file: string | undefined): Promise<void> {
  const { secretKey } = config
  if (file === undefined) throw new UsageProblem('secret-key change needs a file that holds the former key.')
  if (secretKey === undefined) throw new UsageProblem('secret-key change needs the new key as SECRET_KEY.')
  const former = await readSecretKey(file)
  if (former === undefined) throw new UsageProblem(`There is no file ${file}.`)
  await withDatabase(config, async (db) => {
    const count = await db.transaction((tx) => resealAll(tx, createSecrets(former), createSecrets(secretKey)))
    if (count === undefined) throw new UsageProblem(`${file} does not hold the key by which secrets are sealed now.`)
    output.print(`The secrets of ${count} webhooks are sealed by SECRET_KEY. Start all servers with it from now on.`)
  })
}

async function seedOrganization(db: Database, wanted: { seed: number; tasks: number }): Promise<void> {
  const scale = scaleOf(wanted.tasks)
  output.say(`Seeding ${grouped(scale.tasks)} tasks and ${grouped(scale.entries)} time entries …`)
  const keysFor = ['owner', 'admin', 'member', 'viewer'] as const
  const { name, orgId, keys } = await seed(db, { ...wanted, keysFor }, progressOn(process.stderr, scale))
  output.say(`Made the organization ${name}. The API keys are shown only now.`)
  output.print(`${orgId}  organization ${name}`)
  for (const { secret, person, role } of keys) output.print(`${secret}  ${person.name}, ${role}`)
}

/** @throws UsageProblem when the API would not take the value either */
function valid(option: keyof Values, field: z.ZodType<string>, value: string): string {
  const read = field.safeParse(value)
  if (read.success) return read.data
  throw new UsageProblem(`--${option}: ${read.error.issues[0]?.message}.`)
}

/** @throws UsageProblem when the option is not a whole number from `min` to `max` */
function wholeNumber(values: Values, option: 'seed' | 'size', absent: number, { min, max }: Range): number {
  const given = values[option]
  if (given === undefined) return absent
  if (/^[0-9]{1,10}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given)
  throw new UsageProblem(`--${option} must be a whole number from ${min} to ${max}.`)
}

interface Range {
  min: number
  max: number
}

function say(sentence: string, code: number): number {
  output.say(sentence)
  return code
}

const isParseError = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** What the person at the terminal can act on; the rest with its stack. */
function plainly(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Stop what listens there, or choose another PORT.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used by this account; choose another PORT.`
  if (failureOf(error) === 'unavailable') return `The database does not answer: ${error.message}`
  if (isSaidByDatabase(error)) return `The database refuses: ${error.message}`
  return error.stack ?? error.message
}
