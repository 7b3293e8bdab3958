import type { Socket } from 'node:net'
import { unavailable } from '../../contract/errors.ts'
import type { ActiveTenants } from '../../db/work-budget.ts'
import { Waiting } from './waiting.ts'

/** The requests of an organization that wait to begin. */
interface Line {
  waiting: Waiting
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
   * @param socket where it came from: once that closes, it waits no longer
   * @throws 503 when too many of them wait
   */
  begin(orgId: string, socket: Socket): Promise<void> | undefined {
    this.#active.note(orgId)
    const line = this.#lines.get(orgId)
    if (line === undefined && this.#active.isAlone(orgId)) return undefined
    this.#endTurn()
    const begun = this.#begun.get(orgId) ?? 0
    if (line === undefined && begun < mostAtOncePerTurn) {
      this.#begun.set(orgId, begun + 1)
      return undefined
    }
    if (line && line.waiting.size >= mostWaiting) throw tooMany
    return this.#lineOf(orgId).waiting.add(socket)
  }

  #lineOf(orgId: string): Line {
    const known = this.#lines.get(orgId)
    if (known) return known
    const waiting = new Waiting(() => {
      if (waiting.size === 0) this.#lines.delete(orgId)
    })
    const line = { waiting, restsUntilMs: 0 }
    this.#lines.set(orgId, line)
    return line
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
    waiting.begin(this.#active.isAlone(orgId) ? waiting.size : 1)
    if (waiting.size > mostAtOncePerTurn && this.#averageMs > shortMs) {
      const restMs = (waiting.size / waitingPerTurn) * this.#lines.size * (this.#averageMs - shortMs)
      line.restsUntilMs = nowMs + Math.min(restMs, longestRestMs, longestWaitMs / waiting.size)
    }
  }

  #endTurnAfterRest(nowMs: number): void {
    clearTimeout(this.#rest)
    if (this.#lines.size === 0) return
    const untilMs = Math.min(...[...this.#lines.values()].map(({ restsUntilMs }) => restsUntilMs))
    this.#rest = setTimeout(() => this.#endTurn(), untilMs - nowMs)
  }
}

// as for a kind of connection
const mostWaiting = 1_000
// as a page of a browser sends at once
const mostAtOncePerTurn = 8
// of a turn that does no harm
const shortMs = 1
// the rest is as long as a turn is too long, once for each 32 that wait
const waitingPerTurn = 32
const longestRestMs = 100
// by rests; a third of what a request may take to arrive
const longestWaitMs = 10_000

const tooMany = unavailable('Too many requests at once; try again')
