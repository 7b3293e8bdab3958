import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createPace } from '../../../src/jobs/deliveries/pace.ts'

test('behind each piece of work is a pause as long as that, and a much longer one where it took longer than at rest', async () => {
  const pace = createPace(1, new AbortController().signal)
  const times: { begunMs: number; endedMs: number }[] = []
  const work = (ms: number) =>
    pace(async () => {
      const begunMs = performance.now()
      await wait(ms)
      times.push({ begunMs, endedMs: performance.now() })
    })
  // timers are a millisecond early, and late on a busy machine
  await Promise.all([20, 20, 160, 20].map(work))
  const [quick, next, slow, last] = times
  assert.ok(quick && next && slow && last)
  const tookMs = ({ begunMs, endedMs }: typeof quick) => endedMs - begunMs
  // no pause is longer than a second
  const assertPause = (one: typeof quick, other: typeof quick, wantedMs: number) => {
    const pauseMs = other.begunMs - one.endedMs
    assert.ok(pauseMs >= 0.9 * Math.min(wantedMs, 1_000), `${pauseMs} ms of ${wantedMs}`)
  }
  assertPause(quick, next, tookMs(quick))
  const atRestMs = Math.min(tookMs(quick), tookMs(next))
  assertPause(slow, last, tookMs(slow) * Math.min(tookMs(slow) / atRestMs, 2))
})

test('who waits for a turn of the pace ends when it ends', async () => {
  const ending = new AbortController()
  const pace = createPace(1, ending.signal)
  const long = pace(() => wait(20))
  const waiting = [1, 2].map(() =>
    assert.rejects(
      pace(() => wait(0)),
      /over/,
    ),
  )
  ending.abort(new Error('over'))
  await long
  await Promise.all(waiting)
  await assert.rejects(
    pace(() => wait(0)),
    /over/,
  )
})
