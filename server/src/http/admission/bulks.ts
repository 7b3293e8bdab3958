import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { unavailable } from '../../contract/errors.ts'
import type { ActiveTenants } from '../../db/work-budget.ts'
import { Waiting } from './waiting.ts'

/** What one organization has of them. */
interface Bulks {
  atWork: number
  waiting: Waiting
}

/**
 * Beside others, of an organization's requests that are made of many writes no more are at work than half of the processors:
 * each may keep one busy for seconds. The next ones wait, holding nothing but what they were sent.
 */
export class BulkPlaces {
  readonly #active: ActiveTenants
  readonly #all = new Map<string, Bulks>()

  constructor(active: ActiveTenants) {
    this.#active = active
  }

  /**
   * Answers one once it has a place.
   * @param socket where it came from: once that closes, it waits no longer
   * @throws 503 when too many of them wait, or it waits for too long
   */
  async run<T>(orgId: string, socket: Socket, answer: () => Promise<T>): Promise<T> {
    const bulks = this.#all.get(orgId) ?? { atWork: 0, waiting: new Waiting() }
    this.#all.set(orgId, bulks)
    if (this.#hasRoom(orgId, bulks)) bulks.atWork++
    else if (bulks.waiting.size >= mostWaiting) throw tooMany
    else await bulks.waiting.add(socket, { ms: longestWaitMs, error: tooMany })
    try {
      return await answer()
    } finally {
      bulks.atWork--
      while (bulks.waiting.size > 0 && this.#hasRoom(orgId, bulks)) {
        bulks.atWork++
        bulks.waiting.begin(1)
      }
      if (bulks.atWork === 0 && bulks.waiting.size === 0) this.#all.delete(orgId)
    }
  }

  #hasRoom(orgId: string, { atWork }: Bulks): boolean {
    return atWork < processors / 2 || this.#active.isAlone(orgId)
  }
}

const processors = Math.max(2, availableParallelism())
// as many as could be done in time, each in a fifth of a second; their bodies are in memory, as objects
const mostWaiting = 100
// longer than a transaction may take
const longestWaitMs = 20_000

const tooMany = unavailable('Too many requests of many writes at once; try again')
