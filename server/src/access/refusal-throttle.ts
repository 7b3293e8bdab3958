// what one address has at once, after a while without
const atOnce = 100
const everyMs = 10
const longestMs = 2_000
const mostAddresses = 10_000

/**
 * When keys that open nothing are refused: of one address a hundred in a second, those beyond wait, for 2 s at most. To
 * refuse one costs about as much as a small answer, and nobody needs thousands of them.
 */
export class RefusalThrottle {
  /** by address, when the last one is due */
  readonly #dueMs = new Map<string, number>()

  /**
   * Counts one.
   * @param nowMs of a clock that is never set
   * @returns how long it waits
   */
  waitMs(from: string, nowMs: number): number {
    const before = Math.max(this.#dueMs.get(from) ?? Number.NEGATIVE_INFINITY, nowMs - atOnce * everyMs)
    const dueMs = Math.min(before + everyMs, nowMs + longestMs)
    if (this.#dueMs.size >= mostAddresses) this.#dueMs.clear()
    this.#dueMs.set(from, dueMs)
    return Math.max(0, dueMs - nowMs)
  }
}
