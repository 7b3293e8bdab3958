// after a pause this many are refused at once, then one each 10 ms
const atOnce = 100
const everyMs = 10
const longestMs = 2_000
const mostAddresses = 10_000

/**
 * Delays refusals of bad keys. An address gets a hundred refusals in a second at once; further ones wait, 2 s at most. A
 * refusal costs about as much as a small response, and no client needs thousands of them.
 */
export class RefusalThrottle {
  /** by address: the time at which its last refusal is due */
  readonly #dueMs = new Map<string, number>()

  /**
   * Counts a refusal.
   * @param nowMs on the monotonic clock
   * @returns how long this refusal must wait
   */
  waitMs(from: string, nowMs: number): number {
    const before = Math.max(this.#dueMs.get(from) ?? Number.NEGATIVE_INFINITY, nowMs - atOnce * everyMs)
    const dueMs = Math.min(before + everyMs, nowMs + longestMs)
    if (this.#dueMs.size >= mostAddresses) this.#dueMs.clear()
    this.#dueMs.set(from, dueMs)
    return Math.max(0, dueMs - nowMs)
  }
}
