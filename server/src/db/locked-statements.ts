/**
 * Statements that failed while they waited for a lock. Of each kind one at a time is tried again, and of all kinds together
 * no more than `maxRetries`. So a locked table does not take the connections from statements that do not use it.
 */
export class LockedStatements {
  /** by kind, whether one is being tried again */
  readonly #retrying = new Map<string, boolean>()
  readonly #maxRetries: number

  constructor(maxRetries: number) {
    this.#maxRetries = maxRetries
  }

  get any(): boolean {
    return this.#retrying.size > 0
  }

  /** Whether a statement of this kind must wait for those being tried. */
  mustWait(kind: string): boolean {
    const tries = this.#retrying.get(kind)
    if (tries === undefined) return false
    return tries || [...this.#retrying.values()].filter((one) => one).length >= this.#maxRetries
  }

  retried(kind: string): void {
    if (this.#retrying.has(kind)) this.#retrying.set(kind, true)
  }

  /** A statement of this kind got its lock, or failed for another reason. */
  passed(kind: string): void {
    this.#retrying.delete(kind)
  }

  failed(kind: string): void {
    this.#retrying.set(kind, false)
    const [oldest] = this.#retrying.keys()
    if (this.#retrying.size > mostKinds && oldest !== undefined) this.#retrying.delete(oldest)
  }
}

const mostKinds = 100
