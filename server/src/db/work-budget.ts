import { availableParallelism } from 'node:os'
import type { Tenant } from './fair-queue.ts'

/** The server itself, which has no share that it could exceed. */
export const noTenant: Tenant = ''

/** Which organizations had the database work of late. */
export class ActiveTenants {
  /** when each last began something */
  readonly #begunMs = new Map<Tenant, number>()
  #cleanedUpMs = 0

  note(tenant: Tenant): void {
    const nowMs = performance.now()
    if (tenant !== noTenant) this.#begunMs.set(tenant, nowMs)
    if (nowMs - this.#cleanedUpMs < recentMs) return
    this.#cleanedUpMs = nowMs
    for (const [other, begunMs] of this.#begunMs) if (nowMs - begunMs > recentMs) this.#begunMs.delete(other)
  }

  isAlone(tenant: Tenant): boolean {
    return this.#begunMs.size === 0 || (this.#begunMs.size === 1 && this.#begunMs.has(tenant))
  }
}

/**
 * How much each organization has the database work on. One that is alone: as much as there are connections for. Beside
 * others so much as is done in a moment, or as leaves half of the processors: more of it would be done no sooner, and
 * whoever comes meanwhile would wait for all that it takes of the processors.
 */
export class WorkBudget {
  readonly #budgetMs: number
  readonly #active: ActiveTenants
  /** how many, and how long all of them are likely to take */
  readonly #inFlight = new Map<Tenant, { count: number; ms: number }>()
  /** told that something ended, as who waits for it may wait elsewhere */
  readonly #onEnd: (() => void)[] = []

  constructor(budgetMs: number, active: ActiveTenants) {
    this.#budgetMs = budgetMs
    this.#active = active
  }

  /** Calls back whenever something has ended. */
  onEnd(told: () => void): void {
    this.#onEnd.push(told)
  }

  /** @param ms how long it is likely to take */
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

  /** It is done, or waits for a lock, which takes nothing of the processors. */
  ended(tenant: Tenant, ms: number): void {
    const own = this.#inFlight.get(tenant)
    if (own === undefined) return
    own.ms -= ms
    if (--own.count === 0) this.#inFlight.delete(tenant)
    for (const told of this.#onEnd) told()
  }
}

const processors = Math.max(2, availableParallelism())
// whose work is as long ago is no longer beside others
const recentMs = 1_000
