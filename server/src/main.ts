import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openStore } from './connect.ts'
import { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { sql } from './db/sql.ts'
import { Authenticator, accessChannel } from './http/auth.ts'
import { changeFromOutside } from './http/changes.ts'
import { createCursors } from './http/cursor.ts'
import { found } from './http/errors.ts'
import { reapExpired } from './http/idempotency.ts'
import { createMetrics } from './metrics.ts'
import { routes } from './resources/index.ts'
import { foundOrganization } from './resources/organizations/organizations.ts'
import { purge } from './resources/purge.ts'
import { progressOn } from './seed/progress.ts'
import { scaleOf } from './seed/scale.ts'
import { seed } from './seed/seed.ts'

const tidyEveryMs = 60_000
const graceMs = 2_000
const longestDrainMs = 30_000

/** Speaks to the person who started the server. */
export interface Voice {
  /** progress, on standard error */
  say(sentence: string): void
  /** what was asked for, on standard output */
  print(line: string): void
}

/**
 * Runs a server until SIGTERM or SIGINT: database, migrations, first organization, listening; then drains.
 * @param demo whether the first organization has a year of work in it instead of nothing
 */
export async function serve(config: Config, voice: Voice, { demo = false } = {}): Promise<void> {
  // from the first moment on: a stop during the start may not leave PostgreSQL behind
  const stopAsked = signalled()
  const store = await openStore(config, 'server', voice.say)
  const logger = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const db = new Database({
    connection: store.connection,
    onIdleError: (error) => logger.warn({ err: error }, 'a connection to the database broke'),
  })
  try {
    const applied = await migrate(store.connection, () => foundFirst(db, voice, demo))
    if (applied.length > 0) voice.say(`Applied ${applied.length} migrations.`)
    await listen(config, voice, db, logger, stopAsked)
  } finally {
    await db.close()
    await store.close()
  }
}

async function listen(
  config: Config,
  voice: Voice,
  db: Database,
  logger: pino.Logger,
  stopAsked: Promise<string>,
): Promise<void> {
  const { secret } = found(await db.row<{ secret: Buffer }>(sql`select secret from instance`))
  const complain = (error: unknown) => logger.warn({ err: error }, 'a task in the background failed')
  const authenticator = new Authenticator(db, config.operatorToken, complain)
  const stopListening = await db.listen(accessChannel, (orgId) => authenticator.forget(orgId))
  const tidier = setInterval(() => void tidy(db).catch(complain), tidyEveryMs)
  const { app, drain } = await createApp({
    db,
    authenticator,
    cursors: createCursors(secret),
    idempotencyTtlMs: config.idempotencyTtlMs,
    checkAnswers: false,
    routes,
    version: await version(),
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    metrics: createMetrics(db, { ofProcess: true }),
    logger,
  })
  try {
    await app.listen({ host: config.host, port: config.port })
    const { port } = app.server.address() as AddressInfo
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    voice.print(`Taskwright listening on http://${host}:${port}`)
    voice.say(`Stopping (${await stopAsked}): finishing what is under way …`)
    await drain({ graceMs, longestMs: longestDrainMs })
  } finally {
    clearInterval(tidier)
    await stopListening()
  }
}

/** What is no longer needed goes, little by little. */
async function tidy(db: Database): Promise<void> {
  const now = new Date()
  await reapExpired(db, now)
  await purge(db, now)
}

/** On an empty database: a first organization, and its owner's key for the person at the terminal. */
async function foundFirst(db: Database, voice: Voice, demo: boolean): Promise<void> {
  if (await db.row(sql`select org_id from organizations limit 1`)) {
    if (demo) voice.say('The database is not empty, so nothing was seeded.')
    return
  }
  const secret = demo ? await foundSeeded(db) : await foundEmpty(db)
  voice.print(`Created an organization. The API key of its owner, shown only now: ${secret}`)
}

async function foundEmpty(db: Database): Promise<string> {
  const owner = { name: 'Owner', email: 'owner@example.com' }
  const { apiKey } = await changeFromOutside(db, (tx, emit, now) =>
    foundOrganization(tx, emit, { name: 'My organization', owner }, now),
  )
  return apiKey.secret
}

async function foundSeeded(db: Database): Promise<string> {
  const wanted = { seed: 1, tasks: 2_000, keysFor: ['owner'] } as const
  const { keys } = await seed(db, wanted, progressOn(process.stderr, scaleOf(wanted.tasks)))
  return found(keys[0]).secret
}

const signalled = () =>
  new Promise<string>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })

/** The version of this package. */
async function version(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}
