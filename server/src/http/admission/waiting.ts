import type { Socket } from 'node:net'
import { unavailable } from '../../contract/errors.ts'
import { InFlight } from './in-flight.ts'

interface Waiter {
  /** calls it up, or tells it why it is not */
  end(error?: Error): void
}

/** Requests that wait, in the order in which they came. One whose client has left gives up its place at once. */
export class Waiting {
  readonly #all = new Set<Waiter>()
  readonly #onFewer: () => void

  /** @param onFewer called when one of them waits no longer */
  constructor(onFewer = () => {}) {
    this.#onFewer = onFewer
  }

  get size(): number {
    return this.#all.size
  }

  /**
   * Resolves when a request may begin.
   * @param limit how long it waits at most, and what it fails with then
   */
  add(socket: Socket, limit?: { ms: number; error: Error }): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        clearTimeout(late)
        this.#all.delete(waiter)
        ofConnections.end(socket, waiter)
        if (error) reject(error)
        else resolve()
        this.#onFewer()
      }
      const late = limit && setTimeout(() => end(limit.error), limit.ms)
      const waiter = { end }
      this.#all.add(waiter)
      ofConnections.begin(socket, waiter)
      // it would not say so again
      if (socket.destroyed) end(hasLeft)
    })
  }

  /** Lets the first ones begin. */
  begin(count: number): void {
    let left = count
    for (const waiter of this.#all) {
      if (left-- === 0) return
      waiter.end()
    }
  }
}

// one for all, so that it listens once to a connection that is kept
const ofConnections = new InFlight<Waiter>((waiter) => waiter.end(hasLeft))

// nobody reads it
const hasLeft = unavailable('The connection closed before its turn')
