import { pause } from '../abort.ts'
import type { CallOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import { ApiError } from '../errors.ts'
import type { EventsOperations } from '../generated/operations.ts'
import type { EventsListQuery } from '../generated/requests.ts'
import type { Event } from '../generated/schemas.ts'
import { mayPass, pauseMsAfter } from '../retries.ts'
import { messagesOf } from './messages.ts'

/** The filters of a stream, and `after`: the sequence after which it starts. Without `after` it sends only new events. */
export type EventStreamQuery = Omit<EventsListQuery, 'limit' | 'cursor' | 'sort' | 'taskId'>

/** The operations on events, with `stream`. */
export interface EventsWithStream extends EventsOperations {
  /**
   * Returns events as they happen, each once and in order, even if the connection breaks.
   *
   * Ends when you abort `signal` or stop reading. Throws `PositionExpiredError` if the events after its position are no longer
   * stored, `UnauthorizedError` if the key no longer works, and any other error that a retry cannot solve.
   * @example
   * for await (const event of tw.events.stream({ after: position, type: ['task.*'] }, { signal })) {
   *   position = event.sequence
   * }
   */
  stream(query?: EventStreamQuery, options?: StreamOptions): AsyncGenerator<Event, void, undefined>
}

/** Options of a stream. */
export interface StreamOptions {
  /** Ends the stream. */
  signal?: AbortSignal | undefined
  /** The stream connects again if the server sends nothing for this time. Default: 45 s. The server sends something every 15 s. */
  silentAfterMs?: number | undefined
  /** Time limit of each attempt to connect. */
  timeoutMs?: number | undefined
  /** The maximum number of retries of the first connection. Once connected, the stream never gives up. */
  retries?: number | undefined
  /** Extra headers. They override those of the client. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Called on each connection: new events arrive from now on. @param after the sequence after which it starts */
  onOpen?: ((after: number) => void) | undefined
  /**
   * Called before it waits to connect again. @param why a `TaskwrightError` with the error of the runtime as `cause`;
   * undefined if the server closed the stream normally
   */
  onCut?: ((why: unknown, waitMs: number) => void) | undefined
}

const longestPauseMs = 30_000

/** `tw.events.stream`. Sends no request before the first read. */
export async function* followEvents(
  connection: Connection,
  query: EventStreamQuery,
  { silentAfterMs = 45_000, onOpen, onCut, retries = 4, ...options }: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  const { signal } = options
  let position = query.after === undefined ? undefined : String(query.after)
  let [connected, failures, retryMs] = [false, 0, 1_000]
  while (!signal?.aborted) {
    let why: unknown
    try {
      // without a position, the server would send one only with the first event
      position ??= await latest(connection, options)
      const headers = { ...options.headers, 'last-event-id': position }
      const body = await connection.open({ ...options, method: 'GET', path: '/events', query, headers, accept })
      connected = true
      onOpen?.(Number(position))
      for await (const message of messagesOf(body, { signal, silentAfterMs })) {
        retryMs = message.retryMs ?? retryMs
        // every new stream sends `retry`: it does not prove that the stream works
        if (message.retryMs === undefined) failures = 0
        position = message.id ?? position
        if (message.data !== undefined) yield JSON.parse(message.data)
        if (signal?.aborted) return
      }
    } catch (error) {
      const goesOn = connected ? isPassing(error) : mayPass(error) && failures < retries
      if (!goesOn && !signal?.aborted) throw error
      why = error
    }
    if (signal?.aborted) return
    const waitMs = pauseMsAfter(why, failures++, retryMs, longestPauseMs)
    onCut?.(why, waitMs)
    await pause(waitMs, signal).catch(() => {})
  }
}

const accept = 'text/event-stream'

/** While a server starts or stops, any error may be temporary. */
const isPassing = (error: unknown) => mayPass(error) || (error instanceof ApiError && error.status >= 500)

async function latest(connection: Connection, options: CallOptions): Promise<string> {
  const { data } = await connection.send({ ...options, retries: 0, method: 'GET', path: '/events/head' })
  return String((data as { latest: number }).latest)
}
