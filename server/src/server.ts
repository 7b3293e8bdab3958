import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import pino from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { Database } from './db/database.ts'
import { expected } from './db/expected.ts'
import { sql } from './db/sql.ts'
import { forgetWhenTold, haveOthersForget } from './forgetting.ts'
import { Authenticator, accessChannel } from './http/auth.ts'
import { createCursors } from './http/cursor.ts'
import type { Metrics } from './metrics.ts'
import { routes } from './resources/index.ts'

const graceMs = 2_000

/** How long a request may take, once its server was told to end. */
export const longestDrainMs = 30_000

/**
 * Everything that answers requests, for one process; nobody can reach it yet.
 * @param among whether it is one of several workers
 */
export async function openServer(
  config: Config,
  db: Database,
  logger: pino.Logger,
  metrics: Metrics,
  { among = false } = {},
) {
  const { secret } = expected(
    await db.row<{ secret: Buffer }>(sql`select secret from instance`),
    'The row of the instance',
  )
  const complain = (error: unknown) => logger.warn({ err: error }, 'a task in the background failed')
  const authenticator = new Authenticator(db, config.operatorToken, complain)
  const stopListening = await db.listen(accessChannel, (orgId) => authenticator.forget(orgId))
  if (among) forgetWhenTold((orgId) => authenticator.forget(orgId))
  const { app, drain } = await createApp({
    db,
    authenticator,
    ...(among ? { haveOthersForget } : {}),
    cursors: createCursors(secret),
    idempotencyTtlMs: config.idempotencyTtlMs,
    checkAnswers: false,
    routes,
    version: await version(),
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    organizationRateLimit: config.organizationRateLimit,
    metrics,
    logger,
  })
  return {
    app,
    /** answers what is under way, then ends */
    drain: () => drain({ graceMs, longestMs: longestDrainMs }).finally(stopListening),
  }
}

/** The log: lines of JSON on standard error. `base` is said in each of them. */
export function openLog({ logLevel }: Config, base: { pid: number } | null): pino.Logger {
  // lines are written together: one write for each would cost more than all else that is done for a line
  const together = { sync: false, minLength: 2_048, periodicFlush: 100 }
  // processes that share a pipe do not write into each other's lines as long as they write so little at once
  const maxWrite = 4_096
  const destination = pino.destination({
    dest: 2,
    ...together,
    maxLength: mostUnwritten,
    ...(base ? { maxWrite } : {}),
  })
  // a disk that is full costs lines, not requests; without this the end of the process would wait until there is room
  const { flushSync } = destination
  destination.on('error', () => {
    destination.flushSync = () => {}
  })
  destination.on('write', () => {
    destination.flushSync = flushSync
  })
  return pino({ level: logLevel, base }, destination)
}

// bytes of lines that wait to be written; those that come to more are dropped
const mostUnwritten = 8_388_608

/** The database, whose connections may break: then the log says so. */
export function openDatabase(connection: pg.ClientConfig, logger: pino.Logger, poolSize?: number): Database {
  return new Database({
    connection,
    ...(poolSize === undefined ? {} : { poolSize }),
    // the pool ties the whole connection to the error
    onIdleError: ({ message }) => logger.warn({ reason: message }, 'a connection to the database broke'),
  })
}

/** The version of this package. */
async function version(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}
