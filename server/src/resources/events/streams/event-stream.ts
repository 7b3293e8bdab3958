import type { ServerResponse } from 'node:http'
import type { Caller } from '../../../access/caller.ts'
import type { StreamedAnswer, WantedStream } from '../../../operations/streaming.ts'
import type { EventRights } from '../visibility.ts'

interface Options {
  /** from one comment to the next */
  commentEveryMs: number
  /** how long what was sent may wait for its reader */
  longestStallMs: number
  /** called once its reader can be sent something, and when it has taken what waited */
  onReady: () => void
  /** called once, when it is over */
  onClose: (why: string) => void
  /** called with how many events it was sent */
  onSent: (events: number) => void
}

/** One reader: what it was sent, and what of that waits to be read. */
export class EventStream implements StreamedAnswer {
  readonly wanted: WantedStream
  /** as its key was last looked up */
  caller: Caller
  expiresAtMs = Number.POSITIVE_INFINITY
  /** what its member sees; undefined: key and rights must be read before it is sent anything further */
  rights: EventRights | undefined
  /** every event up to this sequence was sent to it, or is not for it */
  position: number
  readonly #options: Options
  #output: ServerResponse | undefined
  /** the position that the reader has heard of */
  #toldPosition: number
  #commentAtMs: number
  #stalledSinceMs = Number.POSITIVE_INFINITY
  #sent = 0
  #over: string | undefined

  constructor(wanted: WantedStream, position: number, options: Options) {
    this.wanted = wanted
    this.caller = wanted.caller
    this.position = position
    this.#toldPosition = position
    this.#options = options
    this.#commentAtMs = performance.now() + options.commentEveryMs
  }

  get closed(): boolean {
    return this.#over !== undefined
  }

  /** How many bytes wait for the reader. */
  get waitingBytes(): number {
    return this.#output?.writableLength ?? 0
  }

  /** Whether its reader has taken nearly all that it was sent. */
  get hasRoom(): boolean {
    return this.#output !== undefined && this.waitingBytes < fewBytes
  }

  /** @param output whose headers were sent */
  begin(output: ServerResponse): void {
    this.#output = output
    output.on('drain', () => {
      if (this.#stalledSinceMs !== Number.POSITIVE_INFINITY) this.#options.onReady()
      this.#stalledSinceMs = Number.POSITIVE_INFINITY
    })
    output.once('close', () => this.#close('left'))
    output.on('error', () => {})
    if (output.destroyed) {
      this.#close('left')
      return
    }
    // not all at once: many streams that end together are opened again together
    output.write(`retry: ${Math.round(shortestRetryMs + (longestRetryMs - shortestRetryMs) * Math.random())}\n\n`)
    this.#options.onReady()
  }

  abandon(): void {
    this.#close('head')
  }

  /** Sends events, and moves on. @param events the lines of each */
  send(events: readonly Buffer[], until: number): void {
    if (this.closed) return
    this.position = until
    if (events.length === 0) return
    this.#output?.write(Buffer.concat(events))
    if (!this.hasRoom) this.#stalledSinceMs = performance.now()
    this.#sent += events.length
    this.#options.onSent(events.length)
    this.#toldPosition = until
  }

  /** What is done each second, whatever happens. */
  tick(nowMs: number): void {
    if (Date.now() >= this.expiresAtMs) this.end('key')
    if (nowMs - this.#stalledSinceMs > this.#options.longestStallMs) this.cut('slow')
    if (this.closed || nowMs < this.#commentAtMs) return
    this.#commentAtMs = nowMs + this.#options.commentEveryMs
    this.#output?.write(this.#toldPosition === this.position ? ':\n\n' : `:\nid: ${this.position}\n\n`)
    this.#toldPosition = this.position
  }

  /** Ends it in good order; what waits is given a moment. */
  end(why: string): void {
    if (this.closed) return
    const output = this.#output
    output?.end()
    if (output && output.writableLength > 0) setTimeout(() => output.destroy(), lingerMs).unref()
    this.#close(why)
  }

  /** Ends it at once, with what waits. */
  cut(why: string): void {
    this.#output?.destroy()
    this.#close(why)
  }

  summary(): object {
    return { events: this.#sent, ended: this.#over }
  }

  #close(why: string): void {
    if (this.closed) return
    this.#over = why
    this.#options.onClose(why)
  }
}

const [shortestRetryMs, longestRetryMs] = [1_000, 3_000]

// more may be sent while so little waits
const fewBytes = 65_536

const lingerMs = 500
