import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from './store.ts'

/** What signals ask for; none of them ends the process by itself. */
export interface Stop {
  /** by the first one: to finish what is under way; its reason is the name of the signal */
  asked: AbortSignal
  /** by one that follows: to finish nothing */
  atOnce: AbortSignal
}

// Ctrl-C reaches a server behind npm twice: from the terminal, and from npm, which hands it on
const sameGestureMs = 500

/** Listens to SIGTERM and SIGINT from now on. */
export function stopSignals(): Stop {
  const [asked, atOnce] = [new AbortController(), new AbortController()]
  let askedMs = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked.signal.aborted) {
        if (performance.now() - askedMs > sameGestureMs) atOnce.abort(signal)
        return
      }
      askedMs = performance.now()
      asked.abort(signal)
    })
  }
  return { asked: asked.signal, atOnce: atOnce.signal }
}

/** Resolves once a signal asks. */
export const onceAborted = (signal: AbortSignal): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(signal.reason)
    signal.addEventListener('abort', () => resolve(signal.reason))
  })

/** What was begun, or undefined where it failed because it was asked to stop. */
export const unlessStopped = <T>({ asked }: Stop, begun: Promise<T>): Promise<T | undefined> =>
  begun.catch((error) => {
    if (asked.aborted) return undefined
    throw error
  })

// PostgreSQL ends what does not end by itself after 5 s
const closeTimeoutMs = 7_000

/** Ends the process whatever is under way, and before that the PostgreSQL that it brought along. */
export async function leaveAtOnce(opening: Promise<Store>): Promise<never> {
  const store = opening.catch(() => undefined)
  await Promise.race([store.then((opened) => opened?.closeAtOnce()), wait(closeTimeoutMs)]).catch(() => {})
  process.exit(1)
}
