import { availableParallelism } from 'node:os'
import type { Who } from './turns.ts'

/** What an organization has under way, or had a moment ago. */
interface Usage<Lane> {
  /** how many statements on which connections */
  lanes: Map<Lane, number>
  /** how many on all of them, less those that wait for a lock */
  underWay: number
  /** how long one of its statements took of late */
  usualMs: number
  /** when it last began one */
  begunMs: number
}

/** The server itself, which has no share that it could exceed. */
export const itself: Who = ''

/** What each organization takes of some connections, and what it may. */
export class Usages<Lane> {
  readonly #most: number
  readonly #all = new Map<Who, Usage<Lane>>()

  /** @param most how many connections there are */
  constructor(most: number) {
    this.#most = most
  }

  /** How many organizations have something under way, or had a moment ago. */
  get size(): number {
    return this.#all.size
  }

  /** How long a statement is likely to take. */
  usualMs(who: Who): number {
    return this.#all.get(who)?.usualMs ?? unknownMs
  }

  /**
   * Whether a further statement may begin: beside others so many as are done in a moment, or as leaves half of the
   * processors, however many connections are free. More of them would be done no sooner, and whoever comes meanwhile would
   * wait for all that they take of the processors.
   */
  mayBegin(who: Who): boolean {
    const usage = this.#all.get(who)
    if (usage === undefined || who === itself || this.#isAlone) return true
    return usage.underWay < Math.max(processors / 2, Math.floor(momentMs / usage.usualMs))
  }

  /** Whether it may be on a connection on which it has nothing: on all but one, with statements that take long on few. */
  mayUseMore(who: Who): boolean {
    const usage = this.#all.get(who)
    if (usage === undefined || who === itself) return true
    const most = Math.max(1, this.#most - 1)
    return usage.lanes.size < (usage.usualMs > longMs ? Math.min(most, processors) : most)
  }

  isOn(who: Who, lane: Lane): boolean {
    return this.#all.get(who)?.lanes.has(lane) ?? false
  }

  begun(who: Who, lane: Lane): void {
    let usage = this.#all.get(who)
    if (usage === undefined) {
      usage = { lanes: new Map(), underWay: 0, usualMs: unknownMs, begunMs: 0 }
      this.#all.set(who, usage)
    }
    usage.begunMs = performance.now()
    usage.underWay++
    usage.lanes.set(lane, (usage.lanes.get(lane) ?? 0) + 1)
  }

  took(who: Who, ms: number): void {
    const usage = this.#all.get(who)
    if (usage) usage.usualMs += (ms - usage.usualMs) / 8
  }

  /** One that has begun is no longer counted: what waits for a lock takes nothing of the processors. */
  stuck(who: Who): void {
    const usage = this.#all.get(who)
    if (usage) usage.underWay--
  }

  ended(who: Who, lane: Lane, wasStuck: boolean): void {
    const usage = this.#all.get(who)
    if (usage === undefined) return
    if (!wasStuck) usage.underWay--
    const left = (usage.lanes.get(lane) ?? 0) - 1
    if (left > 0) usage.lanes.set(lane, left)
    else usage.lanes.delete(lane)
  }

  forgetPast(): void {
    const nowMs = performance.now()
    for (const [who, { lanes, begunMs }] of this.#all) {
      if (lanes.size === 0 && nowMs - begunMs > recentMs) this.#all.delete(who)
    }
  }

  get #isAlone(): boolean {
    return this.#all.size - (this.#all.has(itself) ? 1 : 0) === 1
  }
}

const processors = Math.max(2, availableParallelism())
// a statement takes long from here on
const longMs = 100
// how long one takes of whom nothing is known
const unknownMs = 1
// what others may wait for without noticing
const momentMs = 6
// whose statements are as long ago are no longer beside others
const recentMs = 1_000
