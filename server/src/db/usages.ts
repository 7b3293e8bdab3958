import { availableParallelism } from 'node:os'
import type { Who } from './turns.ts'
import { itself } from './work.ts'

/** What an organization has under way, or had a moment ago. */
interface Usage<Lane> {
  /** how many statements on which connections */
  lanes: Map<Lane, number>
  /** how long one of its statements took of late */
  usualMs: number
  /** when it last began one */
  begunMs: number
}

/** Which connections each organization uses, and how many it may. */
export class Usages<Lane> {
  readonly #most: number
  readonly #all = new Map<Who, Usage<Lane>>()
  #tidiedMs = 0

  /** @param most how many connections there are */
  constructor(most: number) {
    this.#most = most
  }

  /** How long a statement is likely to take. */
  usualMs(who: Who): number {
    return this.#all.get(who)?.usualMs ?? unknownMs
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
      usage = { lanes: new Map(), usualMs: unknownMs, begunMs: 0 }
      this.#all.set(who, usage)
    }
    usage.begunMs = performance.now()
    usage.lanes.set(lane, (usage.lanes.get(lane) ?? 0) + 1)
  }

  took(who: Who, ms: number): void {
    const usage = this.#all.get(who)
    if (usage) usage.usualMs += (ms - usage.usualMs) / 8
  }

  ended(who: Who, lane: Lane): void {
    const usage = this.#all.get(who)
    if (usage === undefined) return
    const left = (usage.lanes.get(lane) ?? 0) - 1
    if (left > 0) usage.lanes.set(lane, left)
    else usage.lanes.delete(lane)
  }

  /** Once in a while is enough. */
  forgetPast(): void {
    const nowMs = performance.now()
    if (nowMs - this.#tidiedMs < recentMs) return
    this.#tidiedMs = nowMs
    for (const [who, { lanes, begunMs }] of this.#all) {
      if (lanes.size === 0 && nowMs - begunMs > recentMs) this.#all.delete(who)
    }
  }
}

const processors = Math.max(2, availableParallelism())
// a statement takes long from here on
const longMs = 100
// how long one takes of whom nothing is known
const unknownMs = 1
// what was as long ago says nothing of what comes
const recentMs = 1_000
