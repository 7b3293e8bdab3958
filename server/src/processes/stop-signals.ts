import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from './store.ts'

/** The stops that signals have requested. A signal does not end the process by itself. */
export interface Stop {
  /** aborted by the first signal: finish the work in flight; its reason is the name of the signal */
  requested: AbortSignal
  /** aborted by a later signal: finish nothing */
  forced: AbortSignal
}

// npm forwards Ctrl-C, so it arrives twice: from the terminal and from npm
const duplicateSignalMs = 500

/** Starts to listen to SIGTERM and SIGINT. */
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

/** Resolves when the signal is aborted. */
export const onceAborted = (signal: AbortSignal): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(signal.reason)
    signal.addEventListener('abort', () => resolve(signal.reason))
  })

/** The result of a promise, or undefined if it failed because a stop was requested. */
export const unlessStopped = <T>({ requested }: Stop, begun: Promise<T>): Promise<T | undefined> =>
  begun.catch((error) => {
    if (requested.aborted) return undefined
    throw error
  })

// PostgreSQL is killed if it has not ended after 5 s
const closeTimeoutMs = 7_000

/** Ends the process and its workers without finishing anything. It stops the embedded PostgreSQL first. */
export async function exitNow(opening: Promise<Store>): Promise<never> {
  const store = opening.catch(() => undefined)
  await Promise.race([store.then((opened) => opened?.closeNow()), wait(closeTimeoutMs)]).catch(() => {})
  // a stuck worker would outlive this process. Kill workers only now, or others would replace them
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  process.exit(1)
}
