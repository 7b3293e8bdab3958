import type { Notices } from '../../src/events/notices.ts'
import { startDeliveries } from '../../src/jobs/deliveries/deliveries.ts'
import { post } from '../../src/jobs/deliveries/post.ts'
import { resolver } from '../../src/jobs/deliveries/resolving.ts'
import { type RetryPolicy, usualRetryPolicy } from '../../src/jobs/deliveries/retry-policy.ts'
import { createSecrets } from '../../src/operations/secrets.ts'
import { afterwards, type Scope } from './afterwards.ts'
import { allowed } from './allowed.ts'
import { created, secretKey, type World } from './world.ts'

/** As patient as usual, in a thousandth of the time. */
export const hasty: RetryPolicy = {
  retriesMs: usualRetryPolicy.retriesMs.map((ms) => Math.max(5, ms / 1_000)),
  shortestBreakMs: 5,
  longestBreakMs: 100,
  disableAfterMs: usualRetryPolicy.disableAfterMs / 1_000,
}

interface DeliveringOptions {
  url: string
  notices?: Notices
  retryPolicy?: RetryPolicy
  timeoutMs?: number
  skipEveryMs?: number
  finishWithinMs?: number
  /** by which it opens secrets */
  key?: string
}

/** A process, as far as deliveries go; it ends with the test. */
export function startDelivering(t: Scope, options: DeliveringOptions) {
  const { url, notices, retryPolicy = hasty, timeoutMs = 15_000, key = secretKey, ...more } = options
  const logged: { sentence: string; said: Record<string, unknown> }[] = []
  const log = (said: object, sentence: string) => void logged.push({ said: said as Record<string, unknown>, sentence })
  const results: string[] = []
  let state = () => ({ inFlight: 0, lagSeconds: 0 })
  const stop = startDeliveries({
    connection: { connectionString: url },
    onNotice: notices?.onNotice ?? (() => () => {}),
    note: notices?.note ?? (() => {}),
    secrets: createSecrets(key),
    post: (...asked) => post(...asked, { allowed, resolve: resolver({ alsoLocal: true }), timeoutMs }),
    userAgent: 'Taskwright/test',
    logger: { warn: log },
    metrics: {
      attempted: (result) => void results.push(result),
      watch(asked) {
        state = asked
      },
    },
    retryPolicy,
    lookEveryMs: 50,
    restMs: 200,
    ...more,
  })
  afterwards(t, stop)
  return { stop, logged, results, state: () => state() }
}

/** A webhook to a receiver on this machine, until the test ends. */
export async function webhookTo(t: Scope, { owner }: World, url: string, fields: object = {}) {
  const made = await created(owner.post('/webhooks', { url, ...fields }))
  afterwards(t, () => owner.delete(`/webhooks/${made.id}`))
  return made as { id: string; secret: string; version: number }
}
