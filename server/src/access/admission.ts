import { availableParallelism } from 'node:os'
import { unavailable } from '../contract/errors.ts'

/** A sharer of the places: an organization, or the address of a client that has not shown a valid key yet. */
type Tenant = string

/** How many requests may wait, and for how long. */
export interface Patience {
  /** one tenant alone may have all of these, each of two half of them, and so on */
  mostWaiting?: number
  /** how long a request waits until it is refused */
  longestWaitMs?: number
}

interface AdmissionOptions extends Patience {
  /** requests that run at a time, of all tenants */
  places: number
  /** requests of one tenant that run at a time while others are active; default: no limit but the one below */
  besideOthers?: number
  /** the recently active tenants, if several admissions share them; default: the tenants of this one */
  active?: ActiveTenants
}

interface Entry {
  /** whether its client has left, so that it must not run */
  isGone?: () => boolean
  /** whether it certainly takes long: beside others, a tenant runs at most half as many of these as there are processors */
  isHeavy?: boolean
}

interface Waiter extends Entry {
  begin(): void
  refuse(error: Error): void
}

interface TenantLoad {
  requests: number
  heavy: number
  /** requests that have not taken long yet */
  short: number
}

/**
 * Decides when a request may run, so that one tenant cannot take everything.
 *
 * - One more request of a tenant may run if the tenant then has at most twice as many as there are free places. Of 12 places one
 *   tenant gets 8 at most; two tenants get about 5 each. So a tenant whose requests are all slow leaves places to others.
 * - While other tenants are active, a tenant runs `besideOthers` requests. A request that takes longer than half a second no
 *   longer counts here: it most likely waits for a lock.
 * - Other requests wait. Tenants take turns, however many requests each of them has.
 */
export class Admission {
  readonly #options: Required<Omit<AdmissionOptions, 'active'>>
  readonly #running = new Map<Tenant, TenantLoad>()
  /** the waiting requests by tenant; the next tenant comes first */
  readonly #lines = new Map<Tenant, Set<Waiter>>()
  readonly #active: ActiveTenants
  #free: number

  constructor({
    besideOthers = Number.POSITIVE_INFINITY,
    mostWaiting = 1_000,
    active = new ActiveTenants(),
    ...options
  }: AdmissionOptions) {
    this.#active = active
    this.#options = { longestWaitMs: 15_000, besideOthers, mostWaiting, ...options }
    this.#free = options.places
  }

  get waiting(): number {
    let sum = 0
    for (const { size } of this.#lines.values()) sum += size
    return sum
  }

  /**
   * Runs a request once there is a place for it.
   * @throws 503 at once when too many wait, or after a while
   */
  async run<T>(tenant: Tenant, work: () => Promise<T>, entry: Entry = {}): Promise<T> {
    this.#active.note(tenant)
    // waiting requests may not begin: `admit` has checked them
    if (this.#mayBegin(tenant, entry)) this.#begin(tenant, entry)
    else await this.#wait(tenant, entry)
    const running = this.#running.get(tenant)
    let isShort = true
    const tookLong = () => {
      if (running && isShort) running.short--
      isShort = false
    }
    const late = setTimeout(() => {
      tookLong()
      this.#admit()
    }, longMs)
    try {
      return await work()
    } finally {
      clearTimeout(late)
      tookLong()
      this.#end(tenant, entry)
    }
  }

  #mayBegin(tenant: Tenant, { isHeavy }: Entry): boolean {
    if (this.#free === 0) return false
    const running = this.#running.get(tenant)
    if (running === undefined) return true
    if (running.requests + 1 > 2 * (this.#free - 1)) return false
    if (this.#active.isAlone(tenant)) return true
    return running.short < this.#options.besideOthers && !(isHeavy && running.heavy >= processors / 2)
  }

  #begin(tenant: Tenant, { isHeavy }: Entry): void {
    this.#free--
    const running = this.#running.get(tenant) ?? { requests: 0, heavy: 0, short: 0 }
    running.requests++
    running.short++
    if (isHeavy) running.heavy++
    this.#running.set(tenant, running)
  }

  #end(tenant: Tenant, { isHeavy }: Entry): void {
    this.#free++
    const running = this.#running.get(tenant)
    if (running) {
      running.requests--
      if (isHeavy) running.heavy--
      if (running.requests === 0) this.#running.delete(tenant)
    }
    this.#admit()
  }

  #wait(tenant: Tenant, entry: Entry): Promise<void> {
    const line = this.#lines.get(tenant) ?? new Set<Waiter>()
    this.#lines.set(tenant, line)
    const most = Math.max(1, this.#options.mostWaiting / this.#lines.size)
    if (line.size >= most) for (const waiter of line) if (waiter.isGone?.()) waiter.refuse(hasLeft)
    if (line.size >= most) throw tooMany
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(late)
        line.delete(waiter)
        if (line.size === 0) this.#lines.delete(tenant)
      }
      const waiter: Waiter = {
        ...entry,
        begin: () => {
          leave()
          this.#begin(tenant, entry)
          // give others a turn of the event loop first
          setImmediate(resolve)
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      const late = setTimeout(() => waiter.refuse(tooMany), this.#options.longestWaitMs)
      line.add(waiter)
      // restore the line, which may have become empty above
      this.#lines.set(tenant, line)
    })
  }

  /** Begins all waiting requests that may run now. Tenants take turns. */
  #admit(): void {
    for (const [tenant, line] of this.#lines) {
      if (this.#free === 0) return
      const next = this.#nextOf(tenant, line)
      if (next === undefined) continue
      next.begin()
      // move the tenant to the end; this loop will reach it again
      if (this.#lines.delete(tenant)) this.#lines.set(tenant, line)
    }
  }

  #nextOf(tenant: Tenant, line: ReadonlySet<Waiter>): Waiter | undefined {
    for (const waiter of line) {
      if (waiter.isGone?.()) waiter.refuse(hasLeft)
      else if (this.#mayBegin(tenant, waiter)) return waiter
    }
    return undefined
  }
}

/** The tenants with a request within the last second. */
export class ActiveTenants {
  readonly #askedMs = new Map<Tenant, number>()
  #cleanedUpMs = 0

  note(tenant: Tenant): void {
    const nowMs = performance.now()
    this.#askedMs.set(tenant, nowMs)
    if (nowMs - this.#cleanedUpMs < recentMs) return
    this.#cleanedUpMs = nowMs
    for (const [other, askedMs] of this.#askedMs) if (nowMs - askedMs > recentMs) this.#askedMs.delete(other)
  }

  isAlone(tenant: Tenant): boolean {
    return this.#askedMs.size === 0 || (this.#askedMs.size === 1 && this.#askedMs.has(tenant))
  }
}

/** The number of processors, at least two, as the database needs one. */
export const processors = Math.max(2, availableParallelism())
const longMs = 500
const recentMs = 1_000

const tooMany = unavailable('Too many requests at once; try again')
// nobody reads this response
const hasLeft = unavailable('The connection closed before its turn')
