/** How long failed deliveries and webhooks wait, in milliseconds. */
export interface RetryPolicy {
  /** time from each attempt of a delivery to the next; after the last one it has failed for good */
  retriesMs: readonly number[]
  /** bounds of the break from new events after several failures in a row; it grows with the time of failure */
  shortestBreakMs: number
  longestBreakMs: number
  /** a webhook is disabled after failing for this long without a success */
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

/** A webhook is disabled only after this many failures in a row: a clock that jumps is no reason. */
const fewestFailures = 10

/** A failed attempt and the state of its webhook. */
export interface FailedAttempt {
  nowMs: number
  /** of this delivery, including this one */
  attemptCount: number
  status: number | null
  retryAfter: string | undefined
  /** of the webhook in a row, including this one */
  failures: number
  failingSinceMs: number
  /** whether at least three different events have failed in this row */
  ofSeveralEvents: boolean
}

/** The consequence of a failed attempt. */
export interface RetryDecision {
  /** null: this was the last attempt */
  nextAttemptMs: number | null
  /** until when the webhook gets no new events; null: the next one is sent at once */
  breakUntilMs: number | null
  /** until when the webhook is sent nothing at all, as its receiver asks */
  busyUntilMs: number | null
  disable: 'gone' | 'failing' | undefined
}

/** @param random from 0 to 1 */
export function retryDecisionOf(
  failure: FailedAttempt,
  retryPolicy: RetryPolicy,
  random = Math.random(),
): RetryDecision {
  const { nowMs, attemptCount, status, failures, failingSinceMs, ofSeveralEvents } = failure
  const { retriesMs, shortestBreakMs, longestBreakMs, disableAfterMs } = retryPolicy
  // up to a tenth earlier or later, so that deliveries that failed together are not retried together
  const jittered = (ms: number) => Math.round(ms * (0.9 + 0.2 * random))
  const askedMs = retryAfterMs(failure.retryAfter, nowMs)
  const retryMs = retriesMs[attemptCount - 1]
  const failingMs = Math.max(0, nowMs - failingSinceMs)
  const breakMs = ofSeveralEvents ? jittered(clamp(failingMs / 4, shortestBreakMs, longestBreakMs)) : 0
  // a busy receiver that sends Retry-After means all requests to it
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

/** The time that a receiver asks for, a day at most. @see RFC 9110 §10.2.3 */
function retryAfterMs(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? 0 : clamp(ms, 0, day)
}
