/** When and how the writes of one organization share transactions. */
export class SharingLine {
  /** transactions whose COMMIT was sent and is not answered, shared or not */
  committing = 0
  /** those of them that are shared */
  sharedCommitting = 0
  /** shared transactions that take writes, or wait for a connection */
  open = 0
  readonly #idle = new Set<() => void>()
  #apartUntilMs = 0
  #apartMs = leastApartMs
  /** how long a commit takes that nothing else of the organization is in front of */
  #commitMs: number | undefined
  /** how long a write takes until its part is done */
  #writeMs: number | undefined

  /** Whether a write that comes now would wait for others in any case, for longer than it takes to be done beside them. */
  get isOfUse(): boolean {
    if (performance.now() < this.#apartUntilMs) return false
    return this.open > 0 || this.sharedCommitting > 0 || this.committing >= commitsInFront
  }

  /** Whether one more transaction may take writes. */
  get mayOpen(): boolean {
    return this.open < mostOpen && this.open + this.sharedCommitting < mostShared
  }

  /** Whether nothing is known of it that matters. */
  get isOver(): boolean {
    return this.open + this.committing + this.sharedCommitting === 0 && performance.now() >= this.#apartUntilMs
  }

  /** For a while each write has a transaction of its own; the longer, the more often that has come to be better of late. */
  part(): void {
    this.#apartUntilMs = performance.now() + this.#apartMs
    this.#apartMs = Math.min(mostApartMs, 2 * this.#apartMs)
  }

  /**
   * Notes how long a transaction took that was not in front of or behind another one. Where the disk is faster than one write is
   * done, the writes are done sooner side by side.
   * @param writeMs until one of its writes was done
   */
  measured(writeMs: number, commitMs: number): void {
    this.#writeMs = average(this.#writeMs, writeMs)
    this.#commitMs = average(this.#commitMs, commitMs)
    if (this.#commitMs < this.#writeMs) this.part()
    else this.#apartMs = leastApartMs
  }

  /** Something was committed, or a write has come. */
  wake(): void {
    for (const resolve of this.#idle) resolve()
    this.#idle.clear()
  }

  /** Resolves when something was committed, or a write has come, or after this time. */
  async changed(mostMs: number): Promise<void> {
    let timeout: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#idle.add(resolve)
      timeout = setTimeout(resolve, mostMs)
    })
    clearTimeout(timeout)
  }
}

const average = (before: number | undefined, ms: number) => (before === undefined ? ms : (before + ms) / 2)

// one is on its way to the disk, and another one waits for it
const commitsInFront = 2
const mostOpen = 2
// what is open, and what waits for the disk
const mostShared = 4
const leastApartMs = 100
const mostApartMs = 5_000
