import type { ServerResponse } from 'node:http'
import type { Caller } from '../../../access/caller.ts'
import type { StreamedAnswer, WantedStream } from '../../../operations/streaming.ts'
import type { EventRights } from '../visibility.ts'

interface Options {
  /** the time between two comments */
  commentEveryMs: number
  /** how long sent data may wait for the reader */
  longestStallMs: number
  /** called when the reader can receive events, and again when it has taken the waiting data */
  onReady: () => void
  /** called once, when the stream ends */
  onClose: (why: string) => void
  /** called with the number of events sent */
  onSent: (events: number) => void
}

/** One open stream: its position, and the data that waits for its reader. */
export class EventStream implements StreamedAnswer {
  readonly wanted: WantedStream
  /** as of the last lookup of the key */
  caller: Caller
  expiresAtMs = Number.POSITIVE_INFINITY
  /** the rights of the member; undefined: read the key and the rights before sending more */
  rights: EventRights | undefined
  /** the stream has handled every event up to this sequence: it sent the event, or the event is not for it */
  position: number
  readonly #options: Options
  #output: ServerResponse | undefined
  /** the last position that the reader received */
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

  get waitingBytes(): number {
    return this.#output?.writableLength ?? 0
  }

  /** Whether the reader has taken nearly all sent data. */
  get hasRoom(): boolean {
    return this.#output !== undefined && this.waitingBytes < fewBytes
  }

  /** @param output with its headers already sent */
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
    // random, so that streams that end together do not all reconnect together
    output.write(`retry: ${Math.round(shortestRetryMs + (longestRetryMs - shortestRetryMs) * Math.random())}\n\n`)
    this.#options.onReady()
  }

  abandon(): void {
    this.#close('head')
  }

  /** Sends events, and moves the position to `until`. @param events the lines of each event */
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

  /** Runs every second: ends, cuts or comments. */
  tick(nowMs: number): void {
    if (Date.now() >= this.expiresAtMs) this.end('key')
    if (nowMs - this.#stalledSinceMs > this.#options.longestStallMs) this.cut('slow')
    if (this.closed || nowMs < this.#commentAtMs) return
    this.#commentAtMs = nowMs + this.#options.commentEveryMs
    this.#output?.write(this.#toldPosition === this.position ? ':\n\n' : `:\nid: ${this.position}\n\n`)
    this.#toldPosition = this.position
  }

  /** Ends the stream cleanly, with a comment that says so. Waiting data gets `lingerMs` to leave. */
  end(why: string): void {
    if (this.closed) return
    const output = this.#output
    output?.end(':end\n\n')
    if (output && output.writableLength > 0) setTimeout(() => output.destroy(), lingerMs).unref()
    this.#close(why)
  }

  /** Ends the stream at once, and drops waiting data. */
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

// below this, the stream takes more events
const fewBytes = 65_536

const lingerMs = 500
