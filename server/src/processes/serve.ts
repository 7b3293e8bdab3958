import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { expected } from '../db/expected.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { sql } from '../db/sql.ts'
import { grouped, progressOn } from '../demo/progress.ts'
import { scaleOf } from '../demo/scale.ts'
import { seed } from '../demo/seed.ts'
import { mostUnaccepted } from '../http/sockets.ts'
import { jobsOf } from '../jobs/jobs.ts'
import { startJobs } from '../jobs/schedule.ts'
import { openLog } from '../log.ts'
import { createJobMetrics, createMetrics, type JobMetrics } from '../metrics.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { foundOrganization } from '../resources/organizations/organizations.ts'
import { unlistenable } from './acceptor.ts'
import { openDatabase, openServer } from './api-server.ts'
import { leaveAtOnce, onceAborted, type Stop, stopSignals, unlessStopped } from './stopping.ts'
import { openStore, type Store } from './store.ts'
import { type Serving, startWorkers } from './supervisor.ts'

/** How long a stop may take, whatever the database and the clients do. */
const longestStopMs = 20_000

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
  const stop = stopSignals()
  const opening = openStore(config, 'server', voice.say, stop.asked)
  void leaveInTime(stop, opening, config.drainDelayMs + longestStopMs, voice)
  const store = await unlessStopped(stop, opening)
  if (!store) return
  const logger = openLog(config, null)
  const db = openDatabase(store.connection, logger)
  const jobMetrics = createJobMetrics()
  let stopJobs = async () => {}
  try {
    const founding = () => foundFirst(db, voice, demo)
    const migrating = migrate(store.connection, founding, { say: voice.say, signal: stop.asked })
    const applied = await unlessStopped(stop, migrating)
    if (!applied) return
    if (applied.length > 0) voice.say(`Applied ${applied.length} migrations.`)
    const serving =
      config.workers === 1
        ? await serveAlone(config, db, logger, jobMetrics)
        : await startWorkers(config, store.connection, jobMetrics, voice.say)
    stopJobs = startJobs(jobsOf(config), { connection: store.connection, logger, ran: jobMetrics.ran })
    void serving.ready.then(() => announce(config, serving, voice))
    try {
      const signal = await Promise.race([onceAborted(stop.asked), serving.failed])
      voice.say(`Stopping (${signal}): finishing what is under way …`)
      serving.announceEnd()
      await wait(config.drainDelayMs)
    } finally {
      await Promise.all([serving.drain(), stopJobs()])
    }
  } finally {
    await stopJobs()
    await db.close()
    await store.close()
  }
}

/** Whatever hangs, and for whoever asks twice, the process ends, and PostgreSQL before it. */
async function leaveInTime({ asked, atOnce }: Stop, opening: Promise<Store>, stopMs: number, voice: Voice) {
  await onceAborted(asked)
  // what ends by itself does not wait for this
  const late = wait(stopMs, `Not everything came to its end within ${stopMs / 1_000} seconds; leaving it.`, {
    ref: false,
  })
  const again = onceAborted(atOnce).then((signal) => `Stopping at once (${signal}): what is under way is given up.`)
  voice.say(await Promise.race([late, again]))
  await leaveAtOnce(opening)
}

async function serveAlone(config: Config, db: Database, logger: Logger, jobMetrics: JobMetrics): Promise<Serving> {
  const { app, announceEnd, drain } = await openServer(
    config,
    db,
    logger,
    createMetrics(db, { ofProcess: true, beside: jobMetrics }),
  )
  try {
    await app.listen({ host: config.host, port: config.port, backlog: mostUnaccepted })
  } catch (error) {
    await drain()
    throw unlistenable(error, config.host)
  }
  const { address, port } = app.server.address() as AddressInfo
  return { address, port, ready: Promise.resolve(), failed: new Promise(() => {}), announceEnd, drain }
}

function announce(config: Config, { address, port }: Serving, voice: Voice): void {
  const own = reachableFor[address]
  const host = own ?? config.host
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  voice.print(`Taskwright listening on ${base}`)
  voice.say(`Read the API and try it in a browser: ${base}/docs`)
  if (own) voice.say(`It listens on all addresses of this machine (${address}), so others may reach it too.`)
}

// nobody can open the address that stands for all
const reachableFor: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' }

/** On an empty database: a first organization, and its owner's key for the person at the terminal. */
async function foundFirst(db: Database, voice: Voice, demo: boolean): Promise<void> {
  if (await db.row(sql`select org_id from organizations limit 1`)) {
    if (demo) voice.say('The database is not empty, so nothing was seeded.')
    return
  }
  const secret = demo ? await foundSeeded(db, voice) : await foundEmpty(db)
  voice.print(`Created an organization. The API key of its owner, shown only now: ${secret}`)
}

async function foundEmpty(db: Database): Promise<string> {
  const owner = { name: 'Owner', email: 'owner@example.com' }
  const { apiKey } = await changeFromOutside(db, (tx, emit, now) =>
    foundOrganization(tx, emit, { name: 'My organization', owner }, now),
  )
  return apiKey.secret
}

async function foundSeeded(db: Database, voice: Voice): Promise<string> {
  const wanted = { seed: 1, tasks: 2_000, keysFor: ['owner'] } as const
  const { name, tasks, entries, keys } = await seed(db, wanted, progressOn(process.stderr, scaleOf(wanted.tasks)))
  voice.say(`Made up a year of ${name}: ${grouped(tasks)} tasks and ${grouped(entries)} time entries.`)
  return expected(keys[0], 'The key of the owner').secret
}
