import type { DueWebhook } from './due.ts'
import type { Skipped } from './turn.ts'

/** What a process knows of webhooks and the database does not. It may be forgotten: then something is looked at once more. */
export class Memory {
  /** how far webhooks were looked at beyond their positions, and since when that is not written */
  readonly #skipped = new Map<string, Skipped & { sinceMs: number }>()
  /** until when a webhook counts as slow */
  readonly #slowUntilMs = new Map<string, number>()
  /** by webhook with which something went wrong that is not its receiver's, how long it rests */
  readonly #rests = new Map<string, { ms: number; untilMs: number }>()
  /** by webhook that is behind, when the next event for it happened */
  readonly #behind = new Map<string, string>()

  /** After which event there may be one that a webhook wants. */
  fromOf({ id, version, position, latest }: DueWebhook): number {
    const known = this.#skipped.get(id)
    return known?.version === version && known.position === position && known.to <= latest ? known.to : position
  }

  skip(id: string, to: Skipped): void {
    const before = this.#skipped.get(id)
    const sinceMs = before?.position === to.position ? before.sinceMs : performance.now()
    set(this.#skipped, id, { ...to, sinceMs })
  }

  /** For how long it was not written how far a webhook is, in milliseconds. */
  skippedForMs(id: string): number {
    const known = this.#skipped.get(id)
    return known ? performance.now() - known.sinceMs : 0
  }

  /** Forgets how far webhooks were looked at: after a failover the log may have fewer events. */
  forgetSkipped(id?: string): void {
    if (id === undefined) this.#skipped.clear()
    else this.#skipped.delete(id)
  }

  noteSlow(id: string): void {
    set(this.#slowUntilMs, id, performance.now() + slowForMs)
  }

  isSlow(id: string): boolean {
    const isSlow = (this.#slowUntilMs.get(id) ?? 0) > performance.now()
    if (!isSlow) this.#slowUntilMs.delete(id)
    return isSlow
  }

  /** Lets a webhook rest, each time twice as long. */
  rest(id: string): void {
    const ms = Math.min(longestRestMs, 2 * (this.#rests.get(id)?.ms ?? shortestRestMs / 2))
    set(this.#rests, id, { ms, untilMs: performance.now() + ms })
  }

  /** Whether something went wrong the last time. */
  hasRested(id: string): boolean {
    return this.#rests.has(id)
  }

  isResting(id: string): boolean {
    return (this.#rests.get(id)?.untilMs ?? 0) > performance.now()
  }

  goesWell(id: string): void {
    this.#rests.delete(id)
  }

  /** Notes when the oldest event was written that a webhook was not sent yet. */
  noteBehind(id: string, createdAt: string): void {
    set(this.#behind, id, createdAt)
  }

  caughtUp(id: string): void {
    this.#behind.delete(id)
  }

  /** How old the oldest event is that waits to be tried. */
  get lagSeconds(): number {
    if (this.#behind.size === 0) return 0
    const oldest = [...this.#behind.values()].reduce((least, at) => (at < least ? at : least))
    return Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000)
  }
}

const shortestRestMs = 1_000
const longestRestMs = 300_000
// some answer quickly, then slowly, then quickly
const slowForMs = 600_000

function set<Value>(map: Map<string, Value>, id: string, value: Value): void {
  if (map.size >= mostKnown) map.clear()
  map.set(id, value)
}

const mostKnown = 100_000
