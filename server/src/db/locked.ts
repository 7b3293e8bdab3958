/**
 * Kinds of statements that failed as they waited for a lock. Of each one at a time is tried again, and of all of them no
 * more than there is room for, so that a table that is locked does not take the places of what does not use it.
 */
export class LockedKinds {
  /** by kind, whether one of it tries again */
  readonly #kinds = new Map<string, boolean>()
  readonly #mostTrying: number

  constructor(mostTrying: number) {
    this.#mostTrying = mostTrying
  }

  get any(): boolean {
    return this.#kinds.size > 0
  }

  /** Whether one of this kind must wait for those that try. */
  mustWait(kind: string): boolean {
    const tries = this.#kinds.get(kind)
    if (tries === undefined) return false
    return tries || [...this.#kinds.values()].filter((one) => one).length >= this.#mostTrying
  }

  sent(kind: string): void {
    if (this.#kinds.has(kind)) this.#kinds.set(kind, true)
  }

  /** One of this kind had what it waited for, or failed for another reason. */
  passed(kind: string): void {
    this.#kinds.delete(kind)
  }

  failed(kind: string): void {
    this.#kinds.set(kind, false)
    const [oldest] = this.#kinds.keys()
    if (this.#kinds.size > mostKinds && oldest !== undefined) this.#kinds.delete(oldest)
  }
}

const mostKinds = 100
