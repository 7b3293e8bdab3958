import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type pino from 'pino'
import { Authenticator, accessChannel } from '../access/auth.ts'
import type { Config } from '../config.ts'
import { Database } from '../db/database.ts'
import { expected } from '../db/expected.ts'
import { sql } from '../db/sql.ts'
import { createApp } from '../http/app.ts'
import { createCursors } from '../lists/cursor.ts'
import type { Metrics } from '../metrics.ts'
import { routes } from '../resources/index.ts'
import { forgetWhenTold, haveOthersForget } from './cache-invalidation.ts'

const graceMs = 2_000
const usesMs = 1_000

/** How long a request may take, once its server was told to end: as long as a statement may. */
export const longestDrainMs = 15_000

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
  const { app, announceEnd, drain } = await createApp({
    db,
    authenticator,
    ...(among ? { haveOthersForget } : {}),
    cursors: createCursors(secret),
    idempotencyTtlMs: config.idempotencyTtlMs,
    checkAnswers: false,
    routes,
    version: await version(),
    corsOrigins: config.corsOrigins,
    host: config.host,
    rateLimit: config.rateLimit,
    organizationRateLimit: config.organizationRateLimit,
    readyWhen: config.readyWhen,
    metrics,
    logger,
  })
  return {
    app,
    announceEnd,
    /** answers what is under way, then ends; what the database does not answer in time is given up */
    async drain() {
      const late = setTimeout(() => db.destroySockets(), longestDrainMs)
      try {
        await drain({ graceMs, longestMs: longestDrainMs })
      } finally {
        // they are not worth waiting for long
        const written = Promise.race([authenticator.writeUses(), wait(usesMs, undefined, { ref: false })])
        await Promise.all([stopListening(), written])
        clearTimeout(late)
      }
    },
  }
}

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
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  return version
}
