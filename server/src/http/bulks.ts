import { availableParallelism } from 'node:os'
import { unavailable } from '../contract/errors.ts'
import type { ActiveTenants } from '../db/work-budget.ts'

/** What one organization has of them. */
interface Bulks {
  atWork: number
  /** in the order in which they came */
  waiting: Set<() => void>
}

/**
 * Beside others, of an organization's requests that are made of many writes no more are at work than half of the processors:
 * each may keep one busy for seconds. The next ones wait, holding nothing.
 */
export class BulkPlaces {
  readonly #active: ActiveTenants
  readonly #all = new Map<string, Bulks>()

  constructor(active: ActiveTenants) {
    this.#active = active
  }

  /** Answers one once it has a place. @throws 503 when it waits for too long */
  async run<T>(orgId: string, answer: () => Promise<T>): Promise<T> {
    const bulks = this.#all.get(orgId) ?? { atWork: 0, waiting: new Set() }
    this.#all.set(orgId, bulks)
    if (this.#hasRoom(orgId, bulks)) bulks.atWork++
    else await this.#wait(bulks)
    try {
      return await answer()
    } finally {
      bulks.atWork--
      for (const begin of bulks.waiting) if (this.#hasRoom(orgId, bulks)) begin()
      if (bulks.atWork === 0 && bulks.waiting.size === 0) this.#all.delete(orgId)
    }
  }

  #hasRoom(orgId: string, { atWork }: Bulks): boolean {
    return atWork < processors / 2 || this.#active.isAlone(orgId)
  }

  #wait(bulks: Bulks): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late)
        bulks.waiting.delete(begin)
        bulks.atWork++
        resolve()
      }
      const late = setTimeout(() => {
        bulks.waiting.delete(begin)
        reject(tooMany)
      }, longestWaitMs)
      bulks.waiting.add(begin)
    })
  }
}

const processors = Math.max(2, availableParallelism())
// longer than a transaction may take
const longestWaitMs = 20_000

const tooMany = unavailable('Too many requests of many writes at once; try again')
