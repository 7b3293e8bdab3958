import type { ServerResponse } from 'node:http'
import type { Caller } from '../../../access/caller.ts'
import type { StreamedAnswer, WantedStream } from '../../../operations/streaming.ts'
import type { EventRights } from '../visibility.ts'

/** What a stream may take, and what it says when nothing happens. */
interface StreamLimits {
  /** from one comment to the next */
  commentEveryMs: number
  /** bytes that wait to be read; beyond them it is closed */
  mostWaitingBytes: number
}

interface Options extends StreamLimits {
  /** called once its reader can be sent something */
  onBegin: () => void
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
  /** what its member sees, as last read while it follows; kept here, it goes with the stream */
  rights: EventRights | undefined
  /** whether key and rights must be read before it is sent anything further */
  unconfirmed = true
  /** every event up to this sequence was sent to it, or is not for it */
  position: number
  readonly #options: Options
  #output: ServerResponse | undefined
  /** the position that the reader has heard of */
  #toldPosition: number
  #commentAtMs: number
  #onDrained: (() => void)[] = []
  #waitsSinceMs = Number.POSITIVE_INFINITY
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

  /** @param output whose headers were sent */
  begin(output: ServerResponse): void {
    this.#output = output
    output.on('drain', () => this.#drained())
    output.once('close', () => this.#close('left'))
    output.on('error', () => {})
    if (output.destroyed) {
      this.#close('left')
      return
    }
    // not all at once: many streams that end together are opened again together
    output.write(`retry: ${Math.round(shortestRetryMs + (longestRetryMs - shortestRetryMs) * Math.random())}\n\n`)
    this.#options.onBegin()
  }

  abandon(): void {
    this.#close('head')
  }

  /**
   * Sends events, and moves on.
   * @param bytes of whole events; shared with other streams
   */
  send(bytes: Buffer | undefined, count: number, until: number): void {
    if (this.closed) return
    this.position = Math.max(this.position, until)
    if (bytes === undefined) return
    if (this.waitingBytes > this.#options.mostWaitingBytes) {
      this.cut('slow')
      return
    }
    this.#output?.write(bytes)
    this.#sent += count
    this.#options.onSent(count)
    this.#toldPosition = this.position
  }

  /** What is done each second, whatever happens. */
  tick(nowMs: number): void {
    if (Date.now() >= this.expiresAtMs) this.end('key')
    if (nowMs - this.#waitsSinceMs > longestWaitMs) this.cut('slow')
    if (this.closed || nowMs < this.#commentAtMs) return
    this.#commentAtMs = nowMs + this.#options.commentEveryMs
    this.#output?.write(this.#toldPosition === this.position ? ':\n\n' : `:\nid: ${this.position}\n\n`)
    this.#toldPosition = this.position
  }

  /** Resolves once little waits to be read, or the stream is over. */
  drained(): Promise<void> {
    if (this.closed || this.waitingBytes < fewBytes) return Promise.resolve()
    if (this.#onDrained.length === 0) this.#waitsSinceMs = performance.now()
    return new Promise((resolve) => this.#onDrained.push(resolve))
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

  #drained(): void {
    this.#waitsSinceMs = Number.POSITIVE_INFINITY
    for (const resolve of this.#onDrained.splice(0)) resolve()
  }

  #close(why: string): void {
    if (this.closed) return
    this.#over = why
    this.#drained()
    this.#options.onClose(why)
  }
}

const [shortestRetryMs, longestRetryMs] = [1_000, 3_000]

// more may be sent while so little waits
const fewBytes = 65_536

// a reader that has not taken what was sent at once, 256 kB or so, within this time has gone
const longestWaitMs = 60_000

const lingerMs = 500
