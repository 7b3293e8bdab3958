import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from './store.ts'

/** What signals ask for; none of them ends the process by itself. */
export interface Stop {
  /** by the first one: to finish what is under way; its reason is the name of the signal */
  requested: AbortSignal
  /** by one that follows: to finish nothing */
  forced: AbortSignal
}

// Ctrl-C reaches a server behind npm twice: from the terminal, and from npm, which hands it on
const duplicateSignalMs = 500

/** Listens to SIGTERM and SIGINT from now on. */
export function stopSignals(): Stop {
  const [requested, forced] = [new AbortController(), new AbortController()]
  let requestedMs = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (requested.signal.aborted) {
        if (performance.now() - requestedMs > duplicateSignalMs) forced.abort(signal)
        return
      }
      requestedMs = performance.now()
      requested.abort(signal)
    })
  }
  return { requested: requested.signal, forced: forced.signal }
}

/** Resolves once a signal asks. */
export const onceAborted = (signal: AbortSignal): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(signal.reason)
    signal.addEventListener('abort', () => resolve(signal.reason))
  })

/** What was begun, or undefined where it failed because it was asked to stop. */
export const unlessStopped = <T>({ requested }: Stop, begun: Promise<T>): Promise<T | undefined> =>
  begun.catch((error) => {
    if (requested.aborted) return undefined
    throw error
  })

// PostgreSQL ends what does not end by itself after 5 s
const closeTimeoutMs = 7_000

/** Ends the process whatever is under way, and before that the PostgreSQL that it brought along. */
export async function exitNow(opening: Promise<Store>): Promise<never> {
  const store = opening.catch(() => undefined)
  await Promise.race([store.then((opened) => opened?.closeNow()), wait(closeTimeoutMs)]).catch(() => {})
  process.exit(1)
}
