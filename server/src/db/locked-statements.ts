import type { Tenant } from './fair-queue.ts'
import type { PipelinedConnection, Read } from './pipelined-connection.ts'

/** A statement that failed while it waited for a lock. */
interface Locked {
  /** whose: undefined once it failed for a second one, as a read waits for tables alone, which all have in common */
  tenant: Tenant | undefined
  /** how many are under way */
  tries: number
}

/**
 * Statements that failed while they waited for a lock. Of each kind one at a time is tried again, and of all kinds together
 * no more than `maxTries`. So a locked table does not take the connections from statements that do not use it.
 */
export class LockedStatements {
  /** by name or text; the one that failed last stands last */
  readonly #locked = new Map<string, Locked>()
  readonly #maxTries: number
  readonly #connections: ReadonlySet<PipelinedConnection>

  /** @param connections those on which it is tried */
  constructor(maxTries: number, connections: ReadonlySet<PipelinedConnection>) {
    this.#maxTries = maxTries
    this.#connections = connections
  }

  /** Whether a statement must wait for those being tried. */
  mustWait(read: Read): boolean {
    const locked = this.#lockedOf(read)
    return locked !== undefined && (locked.tries > 0 || this.#tries >= this.#maxTries)
  }

  began(read: Read): void {
    const locked = this.#lockedOf(read)
    if (locked) locked.tries++
  }

  ended(read: Read): void {
    const locked = this.#lockedOf(read)
    if (locked) locked.tries--
  }

  /** It got its lock, or failed for another reason. */
  passed(read: Read): void {
    if (this.#lockedOf(read)) this.#locked.delete(kindOf(read))
  }

  failed(read: Read): void {
    const kind = kindOf(read)
    const before = this.#locked.get(kind)
    const locked = this.#lockedOf(read) ?? { tenant: before ? undefined : read.tenant, tries: 0 }
    this.#locked.delete(kind)
    this.#locked.set(kind, locked)
    if (locked !== before) this.#countTries(kind)
    this.#forgetOldest()
  }

  #countTries(kind: string): void {
    for (const { inFlight } of this.#connections)
      for (const { read, resent } of inFlight) if (!resent && kindOf(read) === kind) this.began(read)
  }

  #forgetOldest(): void {
    if (this.#locked.size <= mostKinds) return
    for (const [kind, { tries }] of this.#locked) if (tries === 0) return void this.#locked.delete(kind)
  }

  #lockedOf(read: Read): Locked | undefined {
    if (this.#locked.size === 0) return undefined
    const locked = this.#locked.get(kindOf(read))
    return locked && (locked.tenant === undefined || locked.tenant === read.tenant) ? locked : undefined
  }

  get #tries(): number {
    let sum = 0
    for (const { tries } of this.#locked.values()) sum += tries
    return sum
  }
}

const mostKinds = 100
const kindOf = ({ query }: Read) => query.name ?? query.text
