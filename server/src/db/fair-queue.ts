/** Whose requests wait for one another: an organization, or where somebody comes from who has shown no key yet. */
export type Tenant = string

/** Somebody who can wait. */
export interface Waiter {
  tenant: Tenant
  /** called instead of having a turn */
  reject: (error: Error) => void
}

interface FairQueueOptions {
  /** how many may wait: all of them of one organization, half of them where two wait, and so on */
  maxWaiting: number
  /** how long somebody waits before it fails with ETIMEDOUT */
  waitTimeoutMs: number
}

/** Those who wait, in turns by organization: of two that wait each has every second turn, however many of one do. */
export class FairQueue<One extends Waiter> {
  readonly #options: FairQueueOptions
  /** by organization, and how each is kept from waiting for ever; the organization whose turn is next goes first */
  readonly #queues = new Map<Tenant, Map<One, NodeJS.Timeout>>()
  #waiting = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Lets somebody wait. It fails with CROWDED at once, with ETIMEDOUT after a while. */
  add(entry: One): void {
    const queue = this.#queues.get(entry.tenant) ?? new Map<One, NodeJS.Timeout>()
    const queues = this.#queues.size + (queue.size === 0 ? 1 : 0)
    if (queue.size > 0 && queue.size >= this.#options.maxWaiting / queues) {
      entry.reject(queueFull)
      return
    }
    const timeout = setTimeout(() => {
      this.#remove(queue, entry)
      entry.reject(Object.assign(new Error('No connection was free in time'), { code: 'ETIMEDOUT' }))
    }, this.#options.waitTimeoutMs)
    queue.set(entry, timeout)
    this.#queues.set(entry.tenant, queue)
    this.#waiting++
  }

  /**
   * Takes out who goes next.
   * @param slotFor what there is for an organization, if anything
   * @param fits whether this one may go on, of an organization for which there is something
   */
  next<Place>(
    slotFor: (tenant: Tenant) => Place | undefined,
    fits: (entry: One) => boolean = always,
  ): { entry: One; slot: Place } | undefined {
    for (const [tenant, queue] of this.#queues) {
      const slot = slotFor(tenant)
      if (slot === undefined) continue
      for (const entry of queue.keys()) {
        if (!fits(entry)) continue
        this.#remove(queue, entry)
        // the others have their turns first
        if (this.#queues.delete(tenant)) this.#queues.set(tenant, queue)
        return { entry, slot }
      }
    }
    return undefined
  }

  #remove(queue: Map<One, NodeJS.Timeout>, entry: One): void {
    clearTimeout(queue.get(entry))
    queue.delete(entry)
    this.#waiting--
    if (queue.size === 0) this.#queues.delete(entry.tenant)
  }
}

const always = () => true

// made once: to note where an error was made takes longer than the rest of such a refusal
const queueFull = Object.assign(new Error('Too many wait already'), { code: 'CROWDED' })
