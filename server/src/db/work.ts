import { availableParallelism } from 'node:os'
import type { Who } from './turns.ts'

/** The server itself, which has no share that it could exceed. */
export const itself: Who = ''

/** Which organizations had the database work of late. */
export class Active {
  /** when each last began something */
  readonly #begunMs = new Map<Who, number>()
  #tidiedMs = 0

  noted(who: Who): void {
    const nowMs = performance.now()
    if (who !== itself) this.#begunMs.set(who, nowMs)
    if (nowMs - this.#tidiedMs < recentMs) return
    this.#tidiedMs = nowMs
    for (const [other, begunMs] of this.#begunMs) if (nowMs - begunMs > recentMs) this.#begunMs.delete(other)
  }

  isAlone(who: Who): boolean {
    return this.#begunMs.size === 0 || (this.#begunMs.size === 1 && this.#begunMs.has(who))
  }
}

/**
 * How much each organization has the database work on. One that is alone: as much as there are connections for. Beside
 * others so much as is done in a moment, or as leaves half of the processors: more of it would be done no sooner, and
 * whoever comes meanwhile would wait for all that it takes of the processors.
 */
export class Work {
  readonly #momentMs: number
  readonly #active: Active
  /** how many, and how long all of them are likely to take */
  readonly #underWay = new Map<Who, { count: number; ms: number }>()
  /** told that something ended, as who waits for it may wait elsewhere */
  readonly #waiting: (() => void)[] = []

  constructor(momentMs: number, active: Active) {
    this.#momentMs = momentMs
    this.#active = active
  }

  /** Calls back whenever something has ended. */
  onEnd(told: () => void): void {
    this.#waiting.push(told)
  }

  /** @param ms how long it is likely to take */
  mayBegin(who: Who, ms: number): boolean {
    const own = this.#underWay.get(who)
    if (own === undefined || who === itself || this.#active.isAlone(who)) return true
    return own.count < processors / 2 || own.ms + ms <= this.#momentMs
  }

  begun(who: Who, ms: number): void {
    this.#active.noted(who)
    const own = this.#underWay.get(who)
    if (own === undefined) {
      this.#underWay.set(who, { count: 1, ms })
      return
    }
    own.count++
    own.ms += ms
  }

  /** It is done, or waits for a lock, which takes nothing of the processors. */
  ended(who: Who, ms: number): void {
    const own = this.#underWay.get(who)
    if (own === undefined) return
    own.ms -= ms
    if (--own.count === 0) this.#underWay.delete(who)
    for (const told of this.#waiting) told()
  }
}

const processors = Math.max(2, availableParallelism())
// whose work is as long ago is no longer beside others
const recentMs = 1_000
