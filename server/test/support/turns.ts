import { existsSync, openSync, readSync } from 'node:fs'

/** How much the longest turn of the event loop computes meanwhile, in milliseconds; of some tries the least. */
export async function longestTurn(work: () => Promise<void>): Promise<number> {
  const tries: number[] = []
  for (let n = 0; n < 4; n++) {
    let [longestMs, lastMs] = [0, computedMs()]
    const look = () => {
      const nowMs = computedMs()
      longestMs = Math.max(longestMs, nowMs - lastMs)
      lastMs = nowMs
      next = setImmediate(look)
    }
    let next = setImmediate(look)
    await work().finally(() => clearImmediate(next))
    tries.push(longestMs)
  }
  return Math.min(...tries)
}

/** How much something computes in one go, in milliseconds; of some tries the least. */
export function fastest(work: () => unknown, tries = 9): number {
  const times = Array.from({ length: tries }, () => {
    const beganMs = computedMs()
    work()
    return computedMs() - beganMs
  })
  return Math.min(...times)
}

/**
 * How much the main thread has computed, in milliseconds: by the clock a turn is as long as others have the processor. Where
 * that is not told it is what all threads have, with those that compile and collect garbage.
 */
function computedMs(): number {
  // what is told of a thread is as old as its last switch, unless it has just asked for the time of its process
  const { user, system } = process.cpuUsage()
  return mainThreadMs?.() ?? (user + system) / 1_000
}

const mainThreadMs = clockOfMainThread()

/** That which Linux keeps, where it does. @see Linux, "Scheduler Statistics" */
function clockOfMainThread(): (() => number) | undefined {
  const path = `/proc/self/task/${process.pid}/schedstat`
  if (!existsSync(path)) return undefined
  const [file, text] = [openSync(path, 'r'), Buffer.alloc(64)]
  const readMs = () => Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)), 10) / 1e6
  return readMs() > 0 ? readMs : undefined
}
