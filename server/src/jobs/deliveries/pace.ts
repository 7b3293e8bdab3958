import { setTimeout as wait } from 'node:timers/promises'

/** Does work at a pace that leaves time for others. */
export type Pace = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A pace at which a few things are done at a time, with a pause behind each that is as long as it took: what works for
 * requests, on the same processors, has half of the time, and more when it makes everything take longer.
 * @param signal ends the waiting of all
 */
export function createPace(atATime: number, signal: AbortSignal): Pace {
  const waiting: (() => void)[] = []
  let free = atATime
  const giveBack = () => {
    const first = waiting.shift()
    if (first) first()
    else free++
  }
  signal.addEventListener('abort', () => {
    for (const first of waiting.splice(0)) first()
  })
  return async (work) => {
    signal.throwIfAborted()
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const begunMs = performance.now()
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const pauseMs = Math.min(performance.now() - begunMs, longestPauseMs)
      wait(pauseMs, undefined, { signal, ref: false }).then(giveBack, giveBack)
    }
  }
}

const longestPauseMs = 1_000
