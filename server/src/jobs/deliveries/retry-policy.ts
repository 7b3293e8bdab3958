/** How long what failed waits. Times in milliseconds. */
export interface RetryPolicy {
  /** before each further attempt of a delivery, counted from the one before; then it has failed for good */
  retriesMs: readonly number[]
  /** how long no new event is tried where several failed in a row: the longer that lasts, the longer */
  shortestBreakMs: number
  longestBreakMs: number
  /** after this time of failures alone a webhook is disabled */
  disableAfterMs: number
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Ten attempts over three days. @see Standard Webhooks 1.0.0, "Deliverability and reliability" */
export const usualRetryPolicy: RetryPolicy = {
  retriesMs: [
    ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
    ...[10 * hour, 14 * hour, 18 * hour, 22 * hour],
  ],
  shortestBreakMs: 5 * second,
  longestBreakMs: hour,
  disableAfterMs: 5 * day,
}

/** A clock that jumps is no reason to disable: this many attempts must have failed in a row as well. */
const fewestFailures = 10

/** What is known of a webhook when an attempt has failed. */
export interface FailedAttempt {
  nowMs: number
  /** of this delivery, this one included */
  attemptCount: number
  status: number | null
  retryAfter: string | undefined
  /** of the webhook, in a row, this one included */
  failures: number
  failingSinceMs: number
  /** whether three different events have failed in this row */
  ofSeveralEvents: boolean
}

/** What follows from it. */
export interface Consequence {
  /** null: this was the last attempt */
  nextAttemptMs: number | null
  /** until when no new event is tried; null: the next one is tried at once */
  breakUntilMs: number | null
  /** until when nothing at all is sent, as the receiver asks */
  busyUntilMs: number | null
  disable: 'gone' | 'failing' | undefined
}

/** @param random from 0 to 1 */
export function consequenceOf(failure: FailedAttempt, retryPolicy: RetryPolicy, random = Math.random()): Consequence {
  const { nowMs, attemptCount, status, failures, failingSinceMs, ofSeveralEvents } = failure
  const { retriesMs, shortestBreakMs, longestBreakMs, disableAfterMs } = retryPolicy
  // at most a tenth earlier or later, so that what failed together does not come back together
  const jittered = (ms: number) => Math.round(ms * (0.9 + 0.2 * random))
  const askedMs = retryAfterMs(failure.retryAfter, nowMs)
  const retryMs = retriesMs[attemptCount - 1]
  const failingMs = Math.max(0, nowMs - failingSinceMs)
  const breakMs = ofSeveralEvents ? jittered(clamp(failingMs / 4, shortestBreakMs, longestBreakMs)) : 0
  // a receiver that names a time when it is busy means all that is sent to it
  const busyMs = status === 429 || status === 503 ? Math.min(askedMs, longestBreakMs) : 0
  const pauseMs = Math.max(breakMs, busyMs)
  const hopeless = failingMs >= disableAfterMs && failures >= fewestFailures
  return {
    nextAttemptMs: retryMs === undefined ? null : nowMs + Math.max(jittered(retryMs), askedMs),
    breakUntilMs: pauseMs === 0 ? null : nowMs + pauseMs,
    busyUntilMs: busyMs === 0 ? null : nowMs + busyMs,
    disable: status === 410 ? 'gone' : hopeless ? 'failing' : undefined,
  }
}

const clamp = (ms: number, leastMs: number, mostMs: number) => Math.min(Math.max(ms, leastMs), mostMs)

/** How long a receiver asks to be left alone, a day at most. @see RFC 9110 §10.2.3 */
function retryAfterMs(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? 0 : clamp(ms, 0, day)
}
