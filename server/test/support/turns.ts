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

// by the clock a turn is as long as others have the processor
function computedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
