import { Turns, type Waiting, type Who } from './turns.ts'

interface SharesOptions {
  places: number
  mostWaiting: number
  patienceMs: number
}

interface Entering extends Waiting {
  enter: () => void
}

/**
 * A number of places, of which some are always left for others: whoever takes a further one holds at most twice as many as
 * are then free. Of twelve places one organization holds eight, two hold four or five each.
 */
export class Shares {
  readonly #held = new Map<Who, number>()
  readonly #turns: Turns<Entering>
  #free: number

  constructor({ places, ...options }: SharesOptions) {
    this.#free = places
    this.#turns = new Turns(options)
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#turns.waiting
  }

  /** Takes a place, once there is one. @throws CROWDED at once, ETIMEDOUT after a while */
  async enter(who: Who): Promise<void> {
    if (this.#mayEnter(who)) return this.#take(who)
    await new Promise<void>((enter, fail) => this.#turns.add({ who, enter, fail }))
  }

  leave(who: Who): void {
    this.#free++
    const held = this.#heldBy(who) - 1
    if (held === 0) this.#held.delete(who)
    else this.#held.set(who, held)
    for (;;) {
      const next = this.#turns.next((other) => this.#mayEnter(other) || undefined)
      if (next === undefined) return
      this.#take(next.one.who)
      next.one.enter()
    }
  }

  #take(who: Who): void {
    this.#free--
    this.#held.set(who, this.#heldBy(who) + 1)
  }

  #mayEnter(who: Who): boolean {
    const held = this.#heldBy(who)
    return this.#free > 0 && (held === 0 || held + 1 <= 2 * (this.#free - 1))
  }

  #heldBy(who: Who): number {
    return this.#held.get(who) ?? 0
  }
}
