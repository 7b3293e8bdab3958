import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../db/pool/database.ts'
import { failureOf } from '../../db/pool/failures.ts'
import type { Secrets } from '../../operations/secrets.ts'
import type { ReceiverAnswer } from '../../outgoing/post.ts'
import { NoAnswer } from '../../outgoing/post.ts'
import { signedHeaders } from '../../outgoing/signatures.ts'
import { openSecrets } from '../../resources/webhooks/signing-secrets.ts'
import { severalFailed } from './failing.ts'
import { mostNoted, type Noted, noteEvents } from './log.ts'
import { type Next, readNext } from './next.ts'
import type { Pace } from './pace.ts'
import { type Attempt, dropDelivery, recordFailure, recordSuccess, type Sent, skipTo } from './record.ts'
import { consequenceOf, type RetryPolicy } from './retry-policy.ts'
import { wants } from './wanted.ts'
import type { WaitingWebhook } from './webhook-turns.ts'

/** What came of an attempt. */
export type Result = 'delivered' | 'refused' | 'unanswered'

/** What a turn works with. */
export interface TurnServices {
  db: Database
  pace: Pace
  secrets: Secrets
  retryPolicy: RetryPolicy
  /** sends one request. @throws NoAnswer */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<ReceiverAnswer>
  userAgent: string
  now(): Date
  /** nothing new is begun after this */
  stopping: AbortSignal
  /** what is under way is given up */
  givingUp: AbortSignal
  attempted(result: Result, seconds: number): void
  /** called when it is known which event is next, by when it happened */
  reached(id: string, createdAt: string): void
  disabled(webhook: WaitingWebhook, reason: string): void
  /** called when events after this position are no longer kept, although the webhook was not yet sent them */
  missed(webhook: WaitingWebhook, after: number): void
}

/** How far a webhook was looked at: the events between its position and here are not for it. */
export interface Skipped {
  version: number
  position: number
  to: number
}

/** How a turn ended. */
export interface Ended {
  /** whether there is more to do at once */
  more: boolean
  /** whether the receiver took long, or gave no good answer */
  slow: boolean
  skipped?: Skipped
}

/** What is known of the events after the position of a webhook. */
export interface Ahead extends Skipped {
  noted: readonly Noted[]
  /** whether there were no more of them */
  complete: boolean
}

/**
 * Sends to one webhook what it waits for, one after the other: first what is to be repeated, then what is new, in order. What
 * a webhook is, is read anew before each request. Whoever calls holds its lock.
 * @param ahead what is known already
 * @param expected what will likely be sent first
 */
export async function takeTurn(
  webhook: WaitingWebhook,
  services: TurnServices,
  ahead?: Ahead,
  expected?: Noted,
): Promise<Ended> {
  const { db, pace, stopping, givingUp } = services
  const begunMs = performance.now()
  let slow = false
  while (!stopping.aborted && performance.now() - begunMs < longestMs) {
    givingUp.throwIfAborted()
    const next = await pace(() => readNext(db, webhook, expected?.sequence, services.now()), 'next')
    if (next === undefined) return { more: false, slow }
    ahead = ahead && stillKnown(ahead, next)
    const wanted = ahead && firstFor(next, ahead)
    if (next.deliveryId !== null && next.body === null) {
      await pace(() => dropDelivery(db, next))
    } else if (isSent(next) && (next.deliveryId !== null || (!next.onBreak && next.sequence === wanted?.sequence))) {
      const ended = await deliver(next, services)
      slow = ended.slow
      if (next.deliveryId === null && ahead) {
        ahead = { ...ahead, position: next.sequence }
        expected = firstFor(next, ahead)
        // what came since is told by a notice
        if (!expected && ahead.complete) return { more: false, slow, skipped: skippedIn(ahead) }
      }
    } else if (next.onBreak) {
      return { more: false, slow }
    } else if (wanted && wanted.sequence !== expected?.sequence) {
      expected = wanted
      services.reached(webhook.id, wanted.createdAt)
    } else {
      // what was expected is kept no more, or nothing more is known
      const from =
        wanted === undefined && ahead ? ahead : { version: next.version, position: next.position, to: next.position }
      ahead = await lookAhead(next, from, services)
      expected = firstFor(next, ahead)
      if (ahead.noted.length === 0) return { more: false, slow, skipped: skippedIn(ahead) }
    }
  }
  return { more: true, slow }
}

// then others have their turns
const longestMs = 5_000

/** What is still known of a webhook as it is now: another version may want other events, and a position may be set back. */
function stillKnown(ahead: Ahead, { version, position }: Next): Ahead | undefined {
  if (version !== ahead.version || position < ahead.position || position > ahead.to) return undefined
  return position === ahead.position ? ahead : { ...ahead, position }
}

/** The first noted event after the position that the webhook wants. */
const firstFor = (next: Next, { position, noted }: Ahead): Noted | undefined =>
  noted.find((event) => event.sequence > position && wants(next, event))

const isSent = (next: Next): next is Sent & { body: string } =>
  next.sequence !== null && next.eventType !== null && next.eventId !== null && next.body !== null

/** Notes the events that follow. So many that nobody wants are skipped for good, by one write for all of them. */
async function lookAhead(next: Next, from: Skipped, { db, pace, missed }: TurnServices): Promise<Ahead> {
  const noted = await pace(() => noteEvents(db, next.orgId, from.to), 'events')
  const [oldest] = noted
  if (oldest && oldest.sequence > from.to + 1) missed(next, from.to)
  const to = noted.at(-1)?.sequence ?? from.to
  const first = noted.find((event) => wants(next, event))
  const unwanted = (first?.sequence ?? to + 1) - 1
  const { version, position } = from
  const complete = noted.length < mostNoted
  if (unwanted - position < worthNoting) return { version, position, to, noted, complete }
  const skipped = await pace(() => skipTo(db, next, unwanted))
  return { version, position: skipped ? unwanted : position, to, noted, complete }
}

const skippedIn = ({ version, position, to }: Ahead): Skipped => ({ version, position, to })

const worthNoting = 500

/** Makes one attempt and records it. */
async function deliver(sent: Sent & { body: string }, services: TurnServices): Promise<{ slow: boolean }> {
  const { db, pace, retryPolicy, secrets, userAgent, post, givingUp } = services
  const begun = services.now()
  const message = { id: sent.eventId, body: sent.body }
  const keys = openedSecrets(secrets, sent, begun)
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signedHeaders(message, keys, begun),
  }
  const begunMs = performance.now()
  const answered: ReceiverAnswer | NoAnswer = await post(sent.url, headers, sent.body, givingUp).catch(
    (error: unknown) => {
      if (error instanceof NoAnswer) return error
      throw error
    },
  )
  const ms = Math.round(performance.now() - begunMs)
  const at = begun.toISOString()
  const now = services.now()
  if (!(answered instanceof NoAnswer) && answered.status >= 200 && answered.status <= 299) {
    const attempt = { at, status: answered.status, ms, error: null, answer: answered.text }
    await untilRecorded(services, () => recordSuccess(db, sent, attempt, now.toISOString()))
    services.attempted('delivered', ms / 1_000)
    return { slow: ms > slowMs }
  }
  const { status, text, retryAfter } =
    answered instanceof NoAnswer ? { status: null, text: null, retryAfter: undefined } : answered
  const error = answered instanceof NoAnswer ? answered.message : null
  const attempt: Attempt = { at, status, ms, error, answer: text }
  const failingSince = sent.failingSince ?? at
  const consequence = consequenceOf(
    {
      nowMs: now.getTime(),
      attemptCount: sent.attemptCount + 1,
      status,
      retryAfter,
      failures: sent.failures + 1,
      failingSinceMs: Date.parse(failingSince),
      ofSeveralEvents: await pace(() => severalFailed(db, sent, failingSince)),
    },
    retryPolicy,
  )
  const disabled = await untilRecorded(services, () => recordFailure(db, sent, attempt, consequence, now.toISOString()))
  services.attempted(status === null ? 'unanswered' : 'refused', ms / 1_000)
  if (disabled) services.disabled(sent, consequence.disable ?? '')
  return { slow: true }
}

const slowMs = 1_000

/** A secret that does not open: it is sealed by another key, or broken. */
export class SealedOtherwise extends Error {}

function openedSecrets(secrets: Secrets, sent: Sent, now: Date): Buffer[] {
  try {
    return openSecrets(secrets, sent, now.toISOString())
  } catch (cause) {
    throw new SealedOtherwise('The secret of a webhook does not open', { cause })
  }
}

/** Tries for some seconds, in which somebody may hold the webhook: what is not recorded is sent again. */
async function untilRecorded<T>({ pace, givingUp }: TurnServices, record: () => Promise<T>): Promise<T> {
  for (const pauseMs of recordAgainMs) {
    try {
      return await pace(record, 'record')
    } catch (error) {
      // what does not pass by itself is not tried again here
      if (failureOf(error) === undefined) throw error
      await wait(pauseMs, undefined, { signal: givingUp }).catch(() => {})
      givingUp.throwIfAborted()
    }
  }
  return pace(record, 'record')
}

const recordAgainMs = [50, 100, 200, 400, 800, 1_600, 3_200]
