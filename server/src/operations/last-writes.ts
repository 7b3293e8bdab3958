import { type AsOf, readAsOf, readAsOfUnlessTimeRuns } from '../db/as-of.ts'
import type { Database } from '../db/pool/database.ts'
import type { CacheKey } from './cache-key.ts'

/** Looks up as of which write an organization is read now. */
export class LastWrites {
  readonly #db: Database
  /** by organization, the look-up that begins at the end of this turn of the event loop */
  readonly #next = new Map<string, Promise<AsOf>>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Those who ask in the same turn share one look-up: it begins when all of them have asked. */
  of({ orgId }: CacheKey): Promise<AsOf> {
    const next = this.#next.get(orgId) ?? this.#lookUpSoon(orgId)
    this.#next.set(orgId, next)
    return next
  }

  /** The same; null while somebody's timer runs in the organization. */
  ofUnlessTimerRuns({ orgId }: CacheKey): Promise<AsOf> {
    return readAsOfUnlessTimeRuns(this.#db, orgId)
  }

  async #lookUpSoon(orgId: string): Promise<AsOf> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#next.delete(orgId)
    return readAsOf(this.#db, orgId)
  }
}
