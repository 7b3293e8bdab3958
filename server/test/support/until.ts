import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { onCitus } from './citus.ts'
import type { Reply } from './world.ts'

type Found<T> = T | false | undefined

/**
 * Asks again and again until something is found, or holds.
 * @param otherwise what a test says that waited for a minute in vain
 */
export async function until<T>(ask: () => Found<T> | Promise<Found<T>>, otherwise: string): Promise<T> {
  for (const deadlineMs = performance.now() + 60_000; performance.now() < deadlineMs; await wait(20)) {
    const found = await ask()
    if (found !== undefined && found !== false) return found
  }
  return assert.fail(otherwise)
}

/** Once this quarter of an hour lasts for a while yet: for what is counted by the hour, or answered by its quarters. */
export const withinQuarterHour = (): Promise<boolean> =>
  until(() => 900_000 - (Date.now() % 900_000) > 20_000, 'The quarter of an hour does not end')

/** Once midnight by the clocks of a zone is neither near nor just over: for what is of one day. It may take three minutes. */
export async function awayFromMidnight(timeZone = 'UTC'): Promise<void> {
  const dayIn = (ms: number) => new Date(Date.now() + ms).toLocaleDateString('sv', { timeZone })
  while (dayIn(-90_000) !== dayIn(90_000)) await wait(1_000)
}

/** The answer to a request, sent again for as long as the server is too busy for it, as when a lock is held for long. */
export const untilTaken = (send: () => Promise<Reply>): Promise<Reply> =>
  until(async () => {
    const reply = await send()
    return reply.status !== 503 && reply
  }, 'The server stays too busy')

// a first start on a cluster makes and distributes every table on each node: 80 s on a busy machine
const patienceMs = onCitus ? 240_000 : 60_000

/** What was promised, or an error: a test that waits for ever tells nobody why. */
export function inTime<T>(promised: Promise<T>, otherwise: string, withinMs = patienceMs): Promise<T> {
  const tooLate = wait(withinMs, undefined, { ref: false }).then(() => Promise.reject(new Error(otherwise)))
  return Promise.race([promised, tooLate])
}
