/** Who shares connections with others: an organization, or the address of a client that has shown no valid key yet. */
export type Tenant = string

/** An entry of the queue. */
export interface Waiter {
  tenant: Tenant
  /** called when it gets no turn */
  reject: (error: Error) => void
}

interface FairQueueOptions {
  /** how many may wait: one organization alone may take all places, each of two half of them, and so on */
  maxWaiting: number
  /** how long an entry waits before it fails with ETIMEDOUT */
  waitTimeoutMs: number
}

/** A queue in which organizations take turns: of two each gets every second turn, however many entries one of them has. */
export class FairQueue<One extends Waiter> {
  readonly #options: FairQueueOptions
  /** by organization, its entries and their timeouts; the organization whose turn is next comes first */
  readonly #queues = new Map<Tenant, Map<One, NodeJS.Timeout>>()
  #waiting = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Adds an entry. It fails with CROWDED at once when the queue is full, and with ETIMEDOUT after a while. */
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
   * Removes and returns the next entry.
   * @param slotFor a free slot for an organization, if there is one
   * @param fits whether this entry may go now
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
        // its organization goes to the end
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

// made once: to capture a stack takes longer than the rest of such a refusal
const queueFull = Object.assign(new Error('Too many wait already'), { code: 'CROWDED' })
