import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../db/pool/database.ts'
import { failureOf } from '../../db/pool/failures.ts'
import type { Secrets } from '../../operations/secrets.ts'
import { openSecrets } from '../../resources/webhooks/signing-secrets.ts'
import { type DueWebhook, type NextDelivery, readNext } from './due.ts'
import { NoAnswer, type ReceiverAnswer } from './post.ts'
import {
  type Attempt,
  type DeliveredEvent,
  dropDelivery,
  isThirdFailure,
  recordFailure,
  recordSuccess,
  skipEventsTo,
} from './record.ts'
import { type RetryPolicy, retryDecisionOf } from './retry-policy.ts'
import { signedHeaders } from './signatures.ts'

/** The outcome of an attempt. */
export type Result = 'delivered' | 'refused' | 'unanswered'

/** The dependencies of a turn. */
export interface TurnServices {
  db: Database
  secrets: Secrets
  retryPolicy: RetryPolicy
  /** sends one request. @throws NoAnswer */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<ReceiverAnswer>
  userAgent: string
  /** aborted when a turn must start no new request */
  stopping: AbortSignal
  /** aborted when a turn must give up its running request */
  givingUp: AbortSignal
  attempted(result: Result, seconds: number): void
  disabled(webhook: NextDelivery, reason: string): void
  /** called when events that a webhook has not been sent have expired */
  missed(webhook: NextDelivery): void
}

/**
 * Sends events to one webhook, one after the other: first the deliveries to repeat, then new events in order. It reads the
 * webhook again before each request. The caller holds the webhook's lock.
 * @returns whether there is more to do at once
 */
export async function deliverPending(webhook: DueWebhook, services: TurnServices): Promise<boolean> {
  const { db, stopping, givingUp, missed } = services
  const endMs = performance.now() + longestMs
  let restMs = 0
  while (!stopping.aborted && performance.now() < endMs) {
    await wait(restMs, undefined, { signal: givingUp })
    const begunMs = performance.now()
    const next = await readNext(db, webhook, new Date())
    if (next === undefined) return false
    // rest longer when the database is busier: requests go first
    restMs = Math.min(longestRestMs, 2 * (performance.now() - begunMs))
    if (next.deliveryId !== null) {
      if (hasEvent(next)) await deliver(next, services)
      else await dropDelivery(db, next)
      continue
    }
    if (next.onBreak) return false
    if (next.position < next.oldest - 1) missed(next)
    if (hasEvent(next)) await deliver(next, services)
    else if (next.searchedTo === next.position) return false
    // this moves backwards after a restore of a database that has fewer events now
    else await skipEventsTo(db, next, next.searchedTo)
  }
  return true
}

// after this time other webhooks have their turns
const longestMs = 5_000

const longestRestMs = 1_000

const hasEvent = (next: NextDelivery): next is DeliveredEvent => next.sequence !== null

async function deliver(sent: DeliveredEvent, services: TurnServices): Promise<void> {
  const { db, retryPolicy, secrets, userAgent, post, givingUp } = services
  const begun = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signedHeaders({ id: sent.eventId, body: sent.body }, openedSecrets(secrets, sent, begun), begun),
  }
  const begunMs = performance.now()
  const { status, text, retryAfter, error } = await post(sent.url, headers, sent.body, givingUp)
    .then((answer) => ({ ...answer, error: null }))
    .catch(unanswered)
  const ms = Math.round(performance.now() - begunMs)
  const attempt: Attempt = { at: begun.toISOString(), status, ms, error, answer: text }
  const now = new Date()
  if (status !== null && status >= 200 && status <= 299) {
    await untilRecorded(givingUp, () => recordSuccess(db, sent, attempt, now.toISOString()))
    services.attempted('delivered', ms / 1_000)
    return
  }
  const failingSince = sent.failingSince ?? attempt.at
  const consequence = retryDecisionOf(
    {
      nowMs: now.getTime(),
      attemptCount: sent.attemptCount + 1,
      status,
      retryAfter,
      failures: sent.failures + 1,
      failingSinceMs: Date.parse(failingSince),
      ofSeveralEvents: await isThirdFailure(db, sent, failingSince),
    },
    retryPolicy,
  )
  const disabled = await untilRecorded(givingUp, () => recordFailure(db, sent, attempt, consequence, now.toISOString()))
  services.attempted(status === null ? 'unanswered' : 'refused', ms / 1_000)
  if (disabled) services.disabled(sent, consequence.disable ?? '')
}

function unanswered(error: unknown) {
  if (!(error instanceof NoAnswer)) throw error
  return { status: null, text: null, retryAfter: undefined, error: error.message }
}

/** A secret does not open: another key sealed it, or it is broken. */
export class UndecryptableSecret extends Error {}

function openedSecrets(secrets: Secrets, sent: DeliveredEvent, now: Date): Buffer[] {
  try {
    return openSecrets(secrets, sent, now.toISOString())
  } catch (cause) {
    throw new UndecryptableSecret('The secret of a webhook does not open', { cause })
  }
}

/** Retries for some seconds while a request may lock the webhook: an event that is not recorded is sent again. */
async function untilRecorded<T>(givingUp: AbortSignal, record: () => Promise<T>): Promise<T> {
  for (let pauseMs = 50; ; pauseMs *= 2) {
    try {
      return await record()
    } catch (error) {
      // retry only failures that pass
      if (failureOf(error) === undefined || pauseMs > longestPauseMs) throw error
      await wait(pauseMs, undefined, { signal: givingUp })
    }
  }
}

const longestPauseMs = 3_200
