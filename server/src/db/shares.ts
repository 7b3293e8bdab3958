import { Turns, type Waiting, type Who } from './turns.ts'
import { Usages } from './usages.ts'
import { type Active, Work } from './work.ts'

interface SharesOptions {
  places: number
  active: Active
  mostWaiting: number
  patienceMs: number
}

interface Entering extends Waiting {
  /** @param expectedMs how long it is likely to take */
  enter: (expectedMs: number) => void
}

/**
 * A number of places, of which some are always left for others: whoever takes a further one holds at most twice as many as
 * are then free. Of twelve places one organization holds eight, two hold four or five each; beside others no more than are
 * done in a moment, as far as they do not wait themselves.
 */
export class Shares {
  readonly #held = new Map<Who, number>()
  readonly #turns: Turns<Entering>
  readonly #usages = new Usages<Shares>(Number.POSITIVE_INFINITY)
  readonly #work: Work
  #free: number

  constructor({ places, active, ...options }: SharesOptions) {
    this.#free = places
    this.#work = new Work(momentMs, active)
    this.#turns = new Turns(options)
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#turns.waiting
  }

  /** Does something in a place, once there is one. @throws CROWDED at once, ETIMEDOUT after a while */
  async run<T>(who: Who, act: () => Promise<T>): Promise<T> {
    const expectedMs = this.#mayEnter(who)
      ? this.#take(who)
      : await new Promise<number>((enter, fail) => this.#turns.add({ who, enter, fail }))
    const begunMs = performance.now()
    let counted = true
    const uncount = () => {
      if (counted) this.#work.ended(who, expectedMs)
      counted = false
    }
    const stuck = setTimeout(() => {
      uncount()
      this.#handOut()
    }, stuckMs)
    try {
      return await act()
    } finally {
      clearTimeout(stuck)
      uncount()
      this.#usages.took(who, Math.min(stuckMs, performance.now() - begunMs))
      this.#leave(who)
    }
  }

  #leave(who: Who): void {
    this.#free++
    this.#usages.ended(who, this)
    this.#usages.forgetPast()
    const held = this.#heldBy(who) - 1
    if (held === 0) this.#held.delete(who)
    else this.#held.set(who, held)
    this.#handOut()
  }

  #handOut(): void {
    for (;;) {
      const next = this.#turns.next((other) => this.#mayEnter(other) || undefined)
      if (next === undefined) return
      next.one.enter(this.#take(next.one.who))
    }
  }

  #take(who: Who): number {
    const expectedMs = this.#usages.usualMs(who)
    this.#free--
    this.#work.begun(who, expectedMs)
    this.#usages.begun(who, this)
    this.#held.set(who, this.#heldBy(who) + 1)
    return expectedMs
  }

  #mayEnter(who: Who): boolean {
    const held = this.#heldBy(who)
    if (this.#free === 0 || (held > 0 && held + 1 > 2 * (this.#free - 1))) return false
    return this.#work.mayBegin(who, this.#usages.usualMs(who))
  }

  #heldBy(who: Who): number {
    return this.#held.get(who) ?? 0
  }
}

// most of a short transaction is the way to the database and its disk, so several are under way at a time
const momentMs = 50
// what is under way for longer likely waits for a lock
const stuckMs = 200
