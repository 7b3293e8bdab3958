import type { Tenant } from '../db/fair-queue.ts'

// of one address at a time; one look-up takes a tenth of a millisecond
const mostOfTheirOwn = 64

/**
 * In whose share of the connections keys are looked up that were not good here before. Behind a balancer all organizations
 * come from one address, so each that is named waits for itself, up to a bound: anybody can write an organization's id into
 * a key. Beyond it, and where an address is refused again and again, they share what the address has.
 */
export class FirstLookUps {
  /** by address */
  readonly #inFlight = new Map<string, number>()

  /** Looks one up. @param isSuspect whether the address tries keys that open nothing */
  async run<T>(from: string, orgId: string, isSuspect: boolean, lookUp: (tenant: Tenant) => Promise<T>): Promise<T> {
    const before = this.#inFlight.get(from) ?? 0
    this.#inFlight.set(from, before + 1)
    try {
      return await lookUp(isSuspect || before >= mostOfTheirOwn ? from : `${from} ${orgId}`)
    } finally {
      const left = (this.#inFlight.get(from) ?? 1) - 1
      if (left > 0) this.#inFlight.set(from, left)
      else this.#inFlight.delete(from)
    }
  }
}
