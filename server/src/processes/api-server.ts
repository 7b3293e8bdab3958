import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type pino from 'pino'
import { Authenticator, accessChannel } from '../access/auth.ts'
import type { Config } from '../config.ts'
import { expected } from '../db/expected.ts'
import { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import type { Notices } from '../events/notices.ts'
import { createApp } from '../http/app.ts'
import { createCursors } from '../lists/cursor.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { createSecrets } from '../operations/secrets.ts'
import { openStreams } from '../resources/events/streams/streams.ts'
import { eventTypes, routes } from '../resources/index.ts'
import { endpoints } from '../sign-in/all-endpoints.ts'
import { invalidateOthers, onInvalidation } from './cache-invalidation.ts'
import { version } from './version.ts'

const graceMs = 2_000
const keyUsageTimeoutMs = 1_000

/** How long a request may take once the server is stopping: the longest time of a statement. */
export const maxDrainMs = 15_000

/**
 * Opens everything that one process needs to answer requests. It does not listen yet.
 * @param notices opened and closed by the caller
 * @param isWorker whether this process is one of several workers
 */
export async function openServer(
  config: Config,
  db: Database,
  notices: Notices,
  logger: pino.Logger,
  metrics: Metrics,
  isWorker = false,
) {
  const { secret } = expected(
    await db.row<{ secret: Buffer }>(sql`select secret from instance`),
    'The row of the instance',
  )
  const warn = (error: unknown) => logger.warn({ err: error }, 'a task in the background failed')
  const isSecure = config.publicUrl?.startsWith('https:') ?? false
  const authenticator = new Authenticator(db, config.operatorToken, warn, { isSecure })
  await authenticator.prepare()
  const stopListening = await db.listen(accessChannel, (orgId) => authenticator.invalidate(orgId))
  if (isWorker) onInvalidation((orgId) => authenticator.invalidate(orgId))
  const { app, announceShutdown, drain } = await createApp({
    db,
    authenticator,
    notices,
    streams: openStreams({ db, notices, authenticator, counts: metrics.streams, onFailure: warn }),
    ...(isWorker ? { invalidateOthers } : {}),
    cursors: createCursors(secret),
    secrets: config.secretKey === undefined ? undefined : createSecrets(config.secretKey),
    allowedSubnets: config.webhookAllowedSubnets,
    idempotencyTtlMs: config.idempotencyTtlMs,
    checkAnswers: false,
    routes,
    endpoints,
    signIn: config.signIn,
    eventTypes,
    version: await version(),
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    host: config.host,
    port: config.port,
    trustedProxies: config.trustedProxies,
    rateLimit: config.rateLimit,
    organizationRateLimit: config.organizationRateLimit,
    compression: config.compression,
    mcp: config.mcp,
    readyWhen: config.readyWhen,
    metrics,
    logger,
  })
  return {
    app,
    announceShutdown,
    /** finishes the requests in flight, then ends; drops those for which the database does not respond in time */
    async drain() {
      const late = setTimeout(() => db.destroySockets(), maxDrainMs)
      try {
        await drain({ graceMs, maxRequestMs: maxDrainMs })
      } finally {
        // the last uses of keys are not worth a long wait
        const written = Promise.race([
          authenticator.writeKeyUsage(),
          wait(keyUsageTimeoutMs, undefined, { ref: false }),
        ])
        await Promise.all([stopListening(), written])
        clearTimeout(late)
      }
    },
  }
}

/** Opens the pool of connections to the database. It logs a broken connection. */
export function openDatabase(connection: pg.ClientConfig, logger: pino.Logger, poolSize?: number): Database {
  return new Database({
    connection,
    ...(poolSize === undefined ? {} : { poolSize }),
    // only the message: the pool attaches the whole client to the error
    onIdleError: ({ message }) => logger.warn({ reason: message }, 'a connection to the database broke'),
  })
}

/** Logs a warning when notices of events begin to fail. */
export const noticeOptions = (logger: pino.Logger) => ({
  onFailure: (error: unknown) => logger.warn({ reason: (error as Error).message }, 'notices of events are not sent'),
})
