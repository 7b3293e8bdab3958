import type { Logger } from 'pino'
import type { Counter } from 'prom-client'

/**
 * The last line of defence: logs and counts a rejection that nothing handles. Node would end the process, so one bug in one
 * request would cut off every organization.
 */
export function surviveUnhandledRejections(logger: Logger, counted: Pick<Counter, 'inc'>): void {
  process.on('unhandledRejection', (reason) => {
    counted.inc()
    const err = reason instanceof Error ? reason : new Error(String(reason))
    logger.error({ err }, 'unhandled rejection')
  })
}
