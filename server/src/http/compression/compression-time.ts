/** How long bodies may be compressed in each tenth of a second, in milliseconds. */
export interface CompressionShares {
  /** those of one organization */
  oneMs: number
  /** all of them together, in the event loop */
  allMs: number
}

/** What leaves others enough, and compresses 2,000 pages of 50 tasks in a second. */
export const ordinaryShares: CompressionShares = { oneMs: 25, allMs: 50 }

const windowMs = 100

/** Limits the time that goes into compressing, by organization: who has used it up is sent bodies as they are. */
export class CompressionTime {
  readonly #shares: CompressionShares
  readonly #usedMs = new Map<string, number>()
  #allMs = 0
  #endsAtMs = 0

  constructor(shares: CompressionShares) {
    this.#shares = shares
  }

  isLeft(orgId: string, nowMs: number): boolean {
    if (nowMs >= this.#endsAtMs) {
      this.#endsAtMs = nowMs + windowMs
      this.#allMs = 0
      this.#usedMs.clear()
    }
    return this.#allMs < this.#shares.allMs && (this.#usedMs.get(orgId) ?? 0) < this.#shares.oneMs
  }

  /** Time in the event loop, which all organizations have together. */
  use(orgId: string, ms: number): void {
    this.#allMs += ms
    this.useBeside(orgId, ms)
  }

  /** Time beside the event loop, which others lose nothing of. */
  useBeside(orgId: string, ms: number): void {
    this.#usedMs.set(orgId, (this.#usedMs.get(orgId) ?? 0) + ms)
  }
}
