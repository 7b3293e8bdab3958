import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrations/migrate.ts'
import type { Database } from '../db/pool/database.ts'
import { type Notices, openNotices } from '../events/notices.ts'
import { untilQuiet } from '../http/draining.ts'
import { listenBacklog } from '../http/sockets.ts'
import { jobsOf } from '../jobs/all-jobs.ts'
import { startJobs } from '../jobs/schedule.ts'
import type { Mailer } from '../jobs/sending-mail.ts'
import { createJobMetrics, type JobMetrics } from '../monitoring/jobs.ts'
import { openLog } from '../monitoring/log.ts'
import { createMetrics, type Metrics } from '../monitoring/metrics.ts'
import { type LinkedMember, makeSignInLink, openedUrl } from '../persons/links.ts'
import { mailKinds } from '../sign-in/mail-kinds.ts'
import { listenProblem } from './acceptor.ts'
import { noticeOptions, openDatabase, openServer } from './api-server.ts'
import { openDeliveries } from './deliveries.ts'
import { limitGarbage } from './garbage.ts'
import { listenAtOtherLoopback } from './loopback.ts'
import { settleSecretKey } from './secret-key.ts'
import { exitNow, onceAborted, type Stop, stopSignals, unlessStopped } from './stop-signals.ts'
import { openStore, type Store } from './store.ts'
import { type ServerProcess, startWorkers } from './supervisor.ts'
import { surviveUnhandledRejections } from './unhandled-rejections.ts'
import { version } from './version.ts'
import { refuseToLockOut } from './ways-in.ts'

/** How long a stop may take in all, whatever the state of the database and the clients. */
const maxStopMs = 20_000

/** The output for the person at the terminal. */
export interface Output {
  /** progress, on standard error */
  say(sentence: string): void
  /** the result, on standard output */
  print(line: string): void
}

/**
 * Runs a server until SIGTERM or SIGINT: database, migrations, first organization, listening; then drains.
 * @param setUp called when the database has its tables, before anybody else writes to it; returns a member to sign in
 */
export async function serve(
  config: Config,
  output: Output,
  setUp: (db: Database) => Promise<LinkedMember | undefined>,
): Promise<void> {
  limitGarbage()
  // listen to signals first: a stop during the start must not leave PostgreSQL running
  const stop = stopSignals()
  const opening = openStore(config, 'server', output.say, stop.requested)
  void exitInTime(stop, opening, config.drainDelayMs + maxStopMs, output)
  const store = await unlessStopped(stop, opening)
  if (!store) return
  const logger = openLog(config, null)
  const db = openDatabase(store.connection, logger)
  const jobMetrics = createJobMetrics()
  let stopJobs = async () => {}
  let notices: Notices | undefined
  let firstOwner: LinkedMember | undefined
  try {
    const prepareFirst = async () => {
      firstOwner = await setUp(db)
    }
    const migrating = migrate(store.connection, prepareFirst, {
      say: output.say,
      signal: stop.requested,
    })
    const applied = await unlessStopped(stop, migrating)
    if (!applied) return
    // only after the migrations: one may refuse to run while a server is connected
    jobMetrics.databaseServer.watch({ db: db.own, dataDir: embeddedIn(config) })
    if (applied.length > 0) output.say(`Applied ${applied.length} migrations.`)
    await refuseToLockOut(config, db, output.say)
    const settled = { ...config, secretKey: await settleSecretKey(config, store, db) }
    notices = await openNotices(db, noticeOptions(logger))
    // with several processes, each worker has its own metrics
    const metrics =
      config.workers === 1
        ? createMetrics(db, { version: await version(), ofProcess: true, beside: jobMetrics })
        : undefined
    surviveUnhandledRejections(logger, (metrics ?? jobMetrics).unhandledRejections)
    const serving = metrics
      ? await serveInThisProcess(settled, db, notices, logger, metrics, output.say)
      : await startWorkers(settled, store.connection, jobMetrics, output.say)
    const warn = (job: string, sentence: string) => logger.warn({ job }, sentence)
    const mailer = mailerOf(config, serving.port, logger, jobMetrics)
    const endJobs = startJobs(jobsOf(config, { noted: jobMetrics.backups, warn, mailer }), {
      connection: store.connection,
      logger,
      ran: jobMetrics.ran,
    })
    stopJobs = endJobs
    const endDeliveries = await openDeliveries(settled, store.connection, notices, logger, jobMetrics)
    stopJobs = async () => void (await Promise.all([endJobs(), endDeliveries()]))
    void serving.ready.then(() => printAddress(config, serving, output))
    if (firstOwner) void printWelcome(config, serving, output, db, firstOwner)
    try {
      const signal = await Promise.race([onceAborted(stop.requested), serving.failed])
      output.say(`Stopping (${signal}): finishing requests in progress …`)
      serving.announceShutdown()
      await wait(config.drainDelayMs)
    } finally {
      await Promise.all([serving.drain(), stopJobs()])
    }
  } finally {
    await stopJobs()
    await notices?.close()
    await db.close()
    await store.close()
  }
}

function mailerOf(
  { signIn: { mail }, publicUrl }: Config,
  port: number,
  logger: Logger,
  jobMetrics: JobMetrics,
): Mailer | undefined {
  if (mail === undefined) return undefined
  const base = openedUrl(publicUrl, port)
  return { settings: mail, kinds: mailKinds, publicUrl: () => base, logger, metrics: jobMetrics.mail() }
}

/** Ends PostgreSQL and then this process if a stop takes too long, or at a second signal. */
async function exitInTime({ requested, forced }: Stop, opening: Promise<Store>, stopMs: number, output: Output) {
  await onceAborted(requested)
  // the timer must not keep this process alive when everything else has ended
  const late = wait(stopMs, `Some work did not finish within ${stopMs / 1_000} seconds. Stopping anyway.`, {
    ref: false,
  })
  const again = onceAborted(forced).then((signal) => `Stopping at once (${signal}): requests in progress are lost.`)
  output.say(await Promise.race([late, again]))
  await exitNow(opening)
}

const embeddedIn = ({ databaseUrl, dataDir }: Config) => (databaseUrl === undefined ? dataDir : undefined)

async function serveInThisProcess(
  config: Config,
  db: Database,
  notices: Notices,
  logger: Logger,
  metrics: Metrics,
  say: Output['say'],
): Promise<ServerProcess> {
  const { app, announceShutdown, drain: drainServer } = await openServer(config, db, notices, logger, metrics)
  try {
    await app.listen({ host: config.host, port: config.port, backlog: listenBacklog })
  } catch (error) {
    await drainServer()
    throw listenProblem(error, config.host)
  }
  const { address, port } = app.server.address() as AddressInfo
  const accept = (socket: Socket) => void app.server.emit('connection', socket)
  // the options of Node's HTTP server
  const options = { allowHalfOpen: true, noDelay: true }
  const beside = await listenAtOtherLoopback({ host: config.host, port }, options, accept, say)
  const drain = async () => {
    if (beside) await untilQuiet(beside, ['connection'])
    beside?.close()
    await drainServer()
  }
  return { address, port, ready: Promise.resolve(), failed: new Promise(() => {}), announceShutdown, drain }
}

function printAddress(config: Config, { address, port }: ServerProcess, output: Output): void {
  const own = reachableFor[address]
  const host = own ?? config.host
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  output.print(`Taskwright listening on ${base}`)
  // passkeys need a name
  const opened = config.host === '127.0.0.1' ? openedUrl(config.publicUrl, port) : (config.publicUrl ?? base)
  output.say(`Console: ${opened}/console (to sign in: taskwright sign-in-link --member <e-mail>)`)
  output.say(`Documentation: ${base}/docs`)
  if (own) output.say(`It listens on all addresses of this machine (${address}), so other machines can reach it.`)
}

/** Prints the link that signs the first owner in. */
async function printWelcome(
  { publicUrl }: Config,
  { port, ready }: ServerProcess,
  output: Output,
  db: Database,
  owner: LinkedMember,
): Promise<void> {
  await ready
  const now = new Date().toISOString()
  const link = await db.transaction((tx) => makeSignInLink(tx, owner, openedUrl(publicUrl, port), now))
  output.print(`Sign in, within 15 minutes and once: ${link}`)
}

// a browser cannot open the wildcard address
const reachableFor: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' }
