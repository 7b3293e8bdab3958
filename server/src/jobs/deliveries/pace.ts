import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

/** Does work at a pace that leaves time for others. @param kind what takes about the same time */
export type Pace = <T>(work: () => Promise<T>, kind?: string) => Promise<T>

/**
 * A pace at which a few things are done at a time, with a pause behind each: as long as it took where nothing else is going
 * on, and up to four times as long where it took longer than it does then. So requests, on the same processors, go first.
 * @param signal ends the waiting of all
 */
export function createPace(atATime: number, signal: AbortSignal): Pace {
  const waiting: (() => void)[] = []
  let free = atATime
  /** by kind, how long it takes when nothing else is going on: the least of late, which is slowly forgotten */
  const least = new Map<string, number>()
  const giveBack = () => {
    const first = waiting.shift()
    if (first) first()
    else free++
  }
  // each pause listens to it
  setMaxListeners(0, signal)
  signal.addEventListener('abort', () => {
    for (const first of waiting.splice(0)) first()
  })
  return async (work, kind = '') => {
    signal.throwIfAborted()
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const begunMs = performance.now()
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const tookMs = performance.now() - begunMs
      const leastMs = Math.max(shortestMs, Math.min((least.get(kind) ?? tookMs) * forgetting, tookMs))
      least.set(kind, leastMs)
      const pauseMs = Math.min(tookMs * Math.max(1, Math.min(tookMs / leastMs, mostTimes)), longestPauseMs)
      wait(pauseMs, undefined, { signal }).then(giveBack, giveBack)
    }
  }
}

const shortestMs = 2
const forgetting = 1.001
const mostTimes = 4
const longestPauseMs = 1_000
