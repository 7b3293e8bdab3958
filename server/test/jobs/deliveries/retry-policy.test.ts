import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FailedAttempt, retryDecisionOf, usualRetryPolicy } from '../../../src/jobs/deliveries/retry-policy.ts'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
const nowMs = Date.parse('2026-01-31T12:00:00.000Z')

/** What follows from a failure, without jitter. */
function following(failure: Partial<FailedAttempt>, random = 0.5) {
  const first = { nowMs, attemptCount: 1, status: 500, retryAfter: undefined, failures: 1, failingSinceMs: nowMs }
  const { nextAttemptMs, breakUntilMs, disable } = retryDecisionOf(
    { ...first, ofSeveralEvents: false, ...failure },
    usualRetryPolicy,
    random,
  )
  const later = (ms: number | null) => ms && ms - nowMs
  return { retryMs: later(nextAttemptMs), breakMs: later(breakUntilMs), disable }
}

test('a delivery is tried ten times, over three days', () => {
  const waits = Array.from({ length: 9 }, (_, n) => following({ attemptCount: n + 1 }).retryMs ?? 0)
  assert.deepEqual(waits.slice(0, 3), [5 * second, 5 * minute, 30 * minute])
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
  const inAllMs = waits.reduce((sum, ms) => sum + ms, 0)
  assert.ok(inAllMs > 2.8 * day && inAllMs < 3.2 * day)
  for (const attemptCount of [10, 11, 30]) assert.equal(following({ attemptCount }).retryMs, null)
})

test('deliveries that failed together do not come back together', () => {
  const [least, most] = [0, 1].map((random) => following({ attemptCount: 2 }, random).retryMs)
  assert.deepEqual([least, most], [4.5 * minute, 5.5 * minute])
})

test('Retry-After delays a retry by at most a day, and with 429 or 503 it delays all deliveries to that receiver', () => {
  const asking = (retryAfter: string, status = 500) => following({ retryAfter, status })
  assert.equal(asking('600').retryMs, 10 * minute)
  assert.equal(asking('Sat, 31 Jan 2026 12:30:00 GMT').retryMs, 30 * minute)
  assert.equal(asking('9999999').retryMs, day)
  for (const nonsense of ['1', '-5', 'soon', '', '1e9', '99999999999999999999', 'Sat, 31 Jan 2025 12:30:00 GMT'])
    assert.equal(asking(nonsense).retryMs, 5 * second, nonsense)
  assert.equal(asking('600').breakMs, null)
  for (const status of [429, 503]) {
    assert.deepEqual(asking('600', status), { retryMs: 10 * minute, breakMs: 10 * minute, disable: undefined })
    assert.equal(asking('9999999', status).breakMs, hour)
    assert.equal(following({ status }).breakMs, null)
  }
})

test('after several failed events in a row, the next one waits longer and longer, at most an hour', () => {
  const failingFor = (ms: number) => following({ ofSeveralEvents: true, failingSinceMs: nowMs - ms }).breakMs
  assert.deepEqual([0, minute, hour, day].map(failingFor), [5 * second, 15 * second, 15 * minute, hour])
  // a clock that went back
  assert.equal(failingFor(-day), 5 * second)
})

test('410 disables a webhook at once, five days of only failures disable it, and a clock that jumps does not', () => {
  assert.equal(following({ status: 410 }).disable, 'gone')
  const failing = (days: number, failures: number) =>
    following({ failingSinceMs: nowMs - days * day, failures }).disable
  assert.equal(failing(5, 10), 'failing')
  assert.equal(failing(4.9, 1_000), undefined)
  assert.equal(failing(400, 9), undefined)
})
