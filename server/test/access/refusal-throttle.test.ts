import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusalThrottle } from '../../src/access/refusal-throttle.ts'

const waits = (refusals: RefusalThrottle, from: string, count: number, nowMs: number) =>
  Array.from({ length: count }, () => refusals.waitMs(from, nowMs))

test('an address gets a hundred refusals at once, then a hundred per second, and waits 2 s at most', () => {
  const refusals = new RefusalThrottle()
  assert.deepEqual(new Set(waits(refusals, 'one', 100, 5_000)), new Set([0]))
  assert.deepEqual(waits(refusals, 'one', 3, 5_000), [10, 20, 30])
  assert.equal(waits(refusals, 'one', 1_000, 5_000).at(-1), 2_000)
  assert.equal(refusals.waitMs('one', 6_000), 1_010)
})

test('others do not wait for it, and neither does it after it tried nothing for a while', () => {
  const refusals = new RefusalThrottle()
  waits(refusals, 'one', 1_000, 5_000)
  assert.equal(refusals.waitMs('other', 5_000), 0)
  assert.equal(refusals.waitMs('one', 7_000), 10)
  assert.deepEqual(new Set(waits(refusals, 'one', 100, 9_000)), new Set([0]))
})
