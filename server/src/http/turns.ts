import { unavailable } from '../contract/errors.ts'
import type { ActiveTenants } from '../db/work-budget.ts'

/** The requests of an organization that wait to begin. */
interface Line {
  waiting: (() => void)[]
  /** until when none of them begins */
  restsUntilMs: number
}

/**
 * Where several organizations ask, their requests begin in turns. In a turn of the event loop a few of each begin at once; of
 * those that send more one does in each turn, so others wait for about one of them at a time. Where turns take long, there is
 * more to do than this machine can: then an organization rests in between, the longer the more of it wait.
 */
export class Turns {
  readonly #active: ActiveTenants
  readonly #lines = new Map<string, Line>()
  /** by organization, how many of its requests began in this turn */
  readonly #begun = new Map<string, number>()
  /** how long the latest turns took, as a moving average */
  #averageMs = 0
  #beganMs: number | undefined
  #isEnding = false
  #rest: NodeJS.Timeout | undefined

  constructor(active: ActiveTenants) {
    this.#active = active
  }

  /**
   * Resolves when a request of this organization may begin; undefined: at once.
   * @throws 503 when too many of them wait
   */
  begin(orgId: string): Promise<void> | undefined {
    this.#active.note(orgId)
    const line = this.#lines.get(orgId)
    if (line === undefined && this.#active.isAlone(orgId)) return undefined
    this.#endTurn()
    const begun = this.#begun.get(orgId) ?? 0
    if (line === undefined && begun < few) {
      this.#begun.set(orgId, begun + 1)
      return undefined
    }
    if (line && line.waiting.length >= mostWaiting) throw tooMany
    return new Promise((resolve) => {
      if (line) line.waiting.push(resolve)
      else this.#lines.set(orgId, { waiting: [resolve], restsUntilMs: 0 })
    })
  }

  #endTurn(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    setImmediate(() => this.#nextTurn())
  }

  #nextTurn(): void {
    const nowMs = performance.now()
    this.#isEnding = false
    if (this.#beganMs !== undefined) this.#averageMs += (nowMs - this.#beganMs - this.#averageMs) / 16
    this.#begun.clear()
    for (const [orgId, line] of this.#lines) if (line.restsUntilMs <= nowMs) this.#beginOne(orgId, line, nowMs)
    this.#beganMs = this.#begun.size > 0 ? nowMs : undefined
    if (this.#begun.size > 0) this.#endTurn()
    else this.#endTurnAfterRest(nowMs)
  }

  #beginOne(orgId: string, line: Line, nowMs: number): void {
    this.#begun.set(orgId, 1)
    const { waiting } = line
    for (const resolve of waiting.splice(0, this.#active.isAlone(orgId) ? waiting.length : 1)) resolve()
    if (waiting.length === 0) this.#lines.delete(orgId)
    else if (waiting.length > few && this.#averageMs > shortMs) {
      const restMs = (waiting.length / waitingPerTurn) * this.#lines.size * (this.#averageMs - shortMs)
      line.restsUntilMs = nowMs + Math.min(restMs, longestRestMs, longestWaitMs / waiting.length)
    }
  }

  #endTurnAfterRest(nowMs: number): void {
    if (this.#lines.size === 0) return
    const untilMs = Math.min(...[...this.#lines.values()].map(({ restsUntilMs }) => restsUntilMs))
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#endTurn(), untilMs - nowMs)
  }
}

// as for a kind of connection
const mostWaiting = 1_000
// as a page of a browser sends at once
const few = 8
// of a turn that does no harm
const shortMs = 1
// the rest is as long as a turn is too long, once for each 32 that wait
const waitingPerTurn = 32
const longestRestMs = 100
// by rests; a third of what a request may take to arrive
const longestWaitMs = 10_000

const tooMany = unavailable('Too many requests at once; try again')
