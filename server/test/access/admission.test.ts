import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Admission, processors } from '../../src/access/admission.ts'

test('a tenant with endless requests leaves places to others, and has more of them while it is alone', async () => {
  const alone = requestsOn(new Admission({ places: 12 }))
  alone.send('busy', 20)
  assert.equal(alone.running('busy'), 8)
  alone.send('quiet', 2)
  assert.equal(alone.running('quiet'), 2)
  const two = requestsOn(new Admission({ places: 12 }))
  for (let n = 0; n < 20; n++) for (const tenant of ['one', 'other']) two.send(tenant, 1)
  assert.ok(two.running('one') >= 4 && two.running('other') >= 4)
  assert.ok(two.running('one') + two.running('other') < 12)
})

test('waiting tenants take turns, however many requests each of them has', async () => {
  const { send, begun, endOne } = requestsOn(new Admission({ places: 1 }))
  send('busy', 4)
  for (const tenant of ['one', 'other']) send(tenant, 2)
  for (let n = 0; n < 7; n++) await endOne()
  assert.deepEqual(begun, ['busy', 'busy', 'one', 'other', 'busy', 'one', 'other', 'busy'])
})

test('a request begins in the event loop turn after the one that it waited for', async () => {
  const admission = new Admission({ places: 1 })
  let done = 0
  const ends = Array.from({ length: 50 }, () => admission.run('busy', async () => done++))
  for (let turns = 1; turns < 50; turns++) {
    await turn()
    assert.ok(done <= turns + 1, `${done} in ${turns}`)
  }
  await Promise.all(ends)
})

test('while others are active a tenant runs its maximum of requests, and slow ones no longer count', async (t) => {
  standStill(t)
  const { send, running } = requestsOn(new Admission({ places: 12, besideOthers: 2 }))
  send('quiet', 1)
  send('busy', 9)
  assert.equal(running('busy'), 2)
  for (const count of [4, 6, 7]) {
    t.mock.timers.tick(500)
    await turn()
    assert.equal(running('busy'), count)
  }
})

test('while others are active heavy requests of a tenant run on half of the processors, and its other requests pass them', async (t) => {
  standStill(t)
  const { send, running, endOne } = requestsOn(new Admission({ places: 100 }))
  send('quiet', 1)
  await endOne()
  send('busy', 50, { isHeavy: true })
  assert.equal(running('busy'), Math.ceil(processors / 2))
  send('busy', 1)
  await endOne()
  await turn()
  assert.equal(running('busy'), Math.ceil(processors / 2) + 1)
})

test('when too many wait, the next one is refused at once, and so is one that waited too long', async (t) => {
  standStill(t)
  const { send, running } = requestsOn(new Admission({ places: 1, mostWaiting: 4, longestWaitMs: 5_000 }))
  const sent = send('busy', 6)
  await assert.rejects(sent[5] as Promise<void>, { status: 503, headers: { 'retry-after': '1' } })
  // now that two wait, each may have half of what may wait
  const others = send('quiet', 3)
  await assert.rejects(others[2] as Promise<void>, { status: 503 })
  const late = Promise.all(
    [...sent.slice(1, 5), ...others.slice(0, 2)].map((one) => assert.rejects(one, { status: 503 })),
  )
  t.mock.timers.tick(5_000)
  await late
  assert.deepEqual([running('busy'), running('quiet')], [1, 0])
})

test('a request whose client has left does not run, and leaves the queue', async () => {
  let isGone = false
  const admission = new Admission({ places: 1, mostWaiting: 2 })
  const { send, begun, endOne } = requestsOn(admission)
  send('busy', 1)
  const left = send('busy', 2, { isGone: () => isGone })
  isGone = true
  send('busy', 1)
  for (const one of left) await assert.rejects(one, { status: 503 })
  await endOne()
  assert.equal(begun.length, 2)
  assert.equal(admission.waiting, 0)
})

/** Requests that end when they are told to. */
function requestsOn(admission: Admission) {
  const begun: string[] = []
  const running: { tenant: string; end: () => void }[] = []
  const run = (tenant: string) =>
    new Promise<void>((end) => {
      begun.push(tenant)
      running.push({ tenant, end })
    })
  return {
    begun,
    send: (tenant: string, count: number, entry = {}) =>
      Array.from({ length: count }, () => {
        const answer = admission.run(tenant, () => run(tenant), entry)
        // it may be looked at later, or never
        answer.catch(() => {})
        return answer
      }),
    running: (of: string) => running.filter(({ tenant }) => tenant === of).length,
    /** Ends the oldest one, and waits until another one has begun. */
    async endOne() {
      running.shift()?.end()
      await turn()
      await turn()
    },
  }
}

/** Has no time pass but what is told. */
function standStill(t: TestContext): void {
  const nowMs = performance.now()
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout'] })
}
