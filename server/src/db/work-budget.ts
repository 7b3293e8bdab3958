import { availableParallelism } from 'node:os'
import type { Tenant } from './fair-queue.ts'

/** The server itself: no limits apply to it. */
export const noTenant: Tenant = ''

/** Which organizations have used the database within the last second. */
export class ActiveTenants {
  /** when each began its last statement or transaction */
  readonly #begunMs = new Map<Tenant, number>()
  #cleanedUpMs = 0

  note(tenant: Tenant): void {
    const nowMs = performance.now()
    if (organization.test(tenant)) this.#begunMs.set(tenant, nowMs)
    if (nowMs - this.#cleanedUpMs < recentMs) return
    this.#cleanedUpMs = nowMs
    for (const [other, begunMs] of this.#begunMs) if (nowMs - begunMs > recentMs) this.#begunMs.delete(other)
  }

  isAlone(tenant: Tenant): boolean {
    return this.#begunMs.size === 0 || (this.#begunMs.size === 1 && this.#begunMs.has(tenant))
  }
}

/**
 * Limits how much the database works for each organization at a time. An organization that is alone has no limit but the
 * connections. Beside others it may have in flight what takes `budgetMs` in all, or what uses half of the processors. More
 * would finish no sooner, and others would wait for the processors.
 */
export class WorkBudget {
  readonly #budgetMs: number
  readonly #active: ActiveTenants
  /** how many, and how long they will likely take in all */
  readonly #inFlight = new Map<Tenant, { count: number; ms: number }>()
  /** called when something ends: those who wait may be in another pool */
  readonly #onEnd: (() => void)[] = []

  constructor(budgetMs: number, active: ActiveTenants) {
    this.#budgetMs = budgetMs
    this.#active = active
  }

  /** Calls back whenever something has ended. */
  onEnd(told: () => void): void {
    this.#onEnd.push(told)
  }

  /** @param ms how long it will likely take */
  mayBegin(tenant: Tenant, ms: number): boolean {
    const own = this.#inFlight.get(tenant)
    if (own === undefined || tenant === noTenant || this.#active.isAlone(tenant)) return true
    return own.count < processors / 2 || own.ms + ms <= this.#budgetMs
  }

  began(tenant: Tenant, ms: number): void {
    this.#active.note(tenant)
    const own = this.#inFlight.get(tenant)
    if (own === undefined) {
      this.#inFlight.set(tenant, { count: 1, ms })
      return
    }
    own.count++
    own.ms += ms
  }

  /** It is done, or it waits for a lock and so uses no processor. */
  ended(tenant: Tenant, ms: number): void {
    const own = this.#inFlight.get(tenant)
    if (own === undefined) return
    own.ms -= ms
    if (--own.count === 0) this.#inFlight.delete(tenant)
    // those who wait have turns: an organization that waits in one pool may wait in another one too
    const first = this.#onEnd.shift()
    if (first) this.#onEnd.push(first)
    for (const told of this.#onEnd) told()
  }
}

// whoever has shown no key yet is none, nor is the server that asks for itself
const organization = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const processors = Math.max(2, availableParallelism())
// after this time without work an organization no longer counts as active
const recentMs = 1_000
