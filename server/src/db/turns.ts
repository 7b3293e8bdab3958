/** Whose requests wait for one another: an organization, or where somebody comes from who has shown no key yet. */
export type Who = string

/** Somebody who can wait. */
export interface Waiting {
  who: Who
  /** called instead of having a turn */
  fail: (error: Error) => void
}

interface TurnsOptions {
  /** how many may wait: all of them of one organization, half of them where two wait, and so on */
  mostWaiting: number
  /** how long somebody waits before it fails with ETIMEDOUT */
  patienceMs: number
}

/** Those who wait, in turns by organization: of two that wait each has every second turn, however many of one do. */
export class Turns<One extends Waiting> {
  readonly #options: TurnsOptions
  /** by organization, and how each is kept from waiting for ever; the organization whose turn is next goes first */
  readonly #lines = new Map<Who, Map<One, NodeJS.Timeout>>()
  #waiting = 0

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Lets somebody wait. It fails with CROWDED at once, with ETIMEDOUT after a while. */
  add(one: One): void {
    const line = this.#lines.get(one.who) ?? new Map<One, NodeJS.Timeout>()
    const lines = this.#lines.size + (line.size === 0 ? 1 : 0)
    if (line.size > 0 && line.size >= this.#options.mostWaiting / lines) {
      one.fail(tooMany)
      return
    }
    const patience = setTimeout(() => {
      this.#take(line, one)
      one.fail(Object.assign(new Error('No connection was free in time'), { code: 'ETIMEDOUT' }))
    }, this.#options.patienceMs)
    line.set(one, patience)
    this.#lines.set(one.who, line)
    this.#waiting++
  }

  /**
   * Takes out who goes next.
   * @param placeFor what there is for an organization, if anything
   * @param fits whether this one may go on, of an organization for which there is something
   */
  next<Place>(
    placeFor: (who: Who) => Place | undefined,
    fits: (one: One) => boolean = always,
  ): { one: One; place: Place } | undefined {
    for (const [who, line] of this.#lines) {
      const place = placeFor(who)
      if (place === undefined) continue
      for (const one of line.keys()) {
        if (!fits(one)) continue
        this.#take(line, one)
        // the others have their turns first
        if (this.#lines.delete(who)) this.#lines.set(who, line)
        return { one, place }
      }
    }
    return undefined
  }

  #take(line: Map<One, NodeJS.Timeout>, one: One): void {
    clearTimeout(line.get(one))
    line.delete(one)
    this.#waiting--
    if (line.size === 0) this.#lines.delete(one.who)
  }
}

const always = () => true

// made once: to note where an error was made takes longer than the rest of such a refusal
const tooMany = Object.assign(new Error('Too many wait already'), { code: 'CROWDED' })
