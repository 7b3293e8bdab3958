import type { ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { Caller } from '../access/caller.ts'
import { badRequest } from '../contract/errors.ts'
import { type Headers, variesByCaller } from '../contract/headers.ts'
import type { EventFilters } from '../events/log.ts'

/** A requested stream of events. */
export interface WantedStream {
  caller: Caller
  /** the sequence of the last event that the reader has seen; undefined: only events from now on */
  after: number | undefined
  filters: EventFilters
}

/** An unfinished response, written over time. */
export interface StreamedAnswer {
  /** Begins to write, after the headers were sent. */
  begin(output: ServerResponse): void
  /** called instead of `begin` if the client wants only the headers */
  abandon(): void
  /** the result, for the log */
  summary(): object
}

/** The open streams of this process. */
export interface Streams {
  /**
   * @throws 412 if events after the position are no longer kept
   * @throws 429 if the organization has too many streams
   */
  open(wanted: WantedStream): Promise<StreamedAnswer>
}

/** The content type of streams. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
const eventStream = 'text/event-stream'

/** The headers of a stream: no proxy may store it, change it, or buffer it. */
export const streamHeaders = {
  'content-type': eventStream,
  'cache-control': 'private, no-cache, no-transform',
  'x-accel-buffering': 'no',
  vary: variesByCaller,
  // this is the last response on its connection, so a stopping server need not wait for the client to close it
  connection: 'close',
}

/** Whether a client prefers a stream to JSON. */
export const prefersStream = (headers: Headers): boolean =>
  headers.accept !== undefined &&
  new Negotiator({ headers }).mediaType(['application/json', eventStream]) === eventStream

/**
 * The position from which a disconnected reader resumes.
 * @throws 400 if the header is not a sequence
 */
export function readLastEventId(headers: Headers): number | undefined {
  const given = headers['last-event-id']
  // a reader that has seen no event may send it empty
  if (given === undefined || given === '') return undefined
  const sequence = Number(given)
  if (/^[0-9]{1,16}$/.test(String(given)) && Number.isSafeInteger(sequence)) return sequence
  throw badRequest('Last-Event-ID must be the id of an event in this stream', 'invalid_last_event_id')
}
