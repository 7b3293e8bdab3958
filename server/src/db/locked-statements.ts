/**
 * Kinds of statements that failed as they waited for a lock. Of each one at a time is tried again, and of all of them no
 * more than there is room for, so that a table that is locked does not take the places of what does not use it.
 */
export class LockedStatements {
  /** by kind, whether one of it tries again */
  readonly #retrying = new Map<string, boolean>()
  readonly #maxRetries: number

  constructor(maxRetries: number) {
    this.#maxRetries = maxRetries
  }

  get any(): boolean {
    return this.#retrying.size > 0
  }

  /** Whether one of this kind must wait for those that try. */
  mustWait(kind: string): boolean {
    const tries = this.#retrying.get(kind)
    if (tries === undefined) return false
    return tries || [...this.#retrying.values()].filter((one) => one).length >= this.#maxRetries
  }

  retried(kind: string): void {
    if (this.#retrying.has(kind)) this.#retrying.set(kind, true)
  }

  /** One of this kind had what it waited for, or failed for another reason. */
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
