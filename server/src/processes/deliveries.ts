import type pg from 'pg'
import type pino from 'pino'
import type { Config } from '../config.ts'
import type { Notices } from '../events/notices.ts'
import { startDeliveries } from '../jobs/deliveries/deliveries.ts'
import { post } from '../jobs/deliveries/post.ts'
import { resolver } from '../jobs/deliveries/resolving.ts'
import type { JobMetrics } from '../monitoring/jobs.ts'
import { createSecrets } from '../operations/secrets.ts'
import { version } from './version.ts'

/** Starts sending events to webhooks, unless there can be no webhooks. @returns function that stops it */
export async function openDeliveries(
  { secretKey, webhookAllowedSubnets: allowed }: Config,
  connection: pg.ClientConfig,
  notices: Notices,
  logger: pino.Logger,
  metrics: JobMetrics,
): Promise<() => Promise<void>> {
  // without the key nobody could create a webhook
  if (secretKey === undefined) return async () => {}
  const resolve = resolver({ alsoLocal: allowed.length > 0 })
  return startDeliveries({
    connection,
    onNotice: notices.onNotice,
    note: notices.note,
    secrets: createSecrets(secretKey),
    post: (url, headers, body, signal) => post(url, headers, body, signal, { allowed, resolve }),
    userAgent: `Taskwright/${await version()}`,
    logger,
    metrics: metrics.deliveries,
  })
}
