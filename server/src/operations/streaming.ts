import type { ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { Caller } from '../access/caller.ts'
import { badRequest } from '../contract/errors.ts'
import { type Headers, variesByCaller } from '../contract/headers.ts'
import type { EventFilters } from '../events/log.ts'

/** A stream of events that somebody asks for. */
export interface WantedStream {
  caller: Caller
  /** the sequence of the last event that the reader has seen; undefined: it wants those from now on */
  after: number | undefined
  filters: EventFilters
}

/** An answer that is not finished: it is written as things happen. */
export interface StreamedAnswer {
  /** Begins to write. The headers were sent. */
  begin(output: ServerResponse): void
  /** in place of `begin`, when only the headers are wanted */
  abandon(): void
  /** how it went, for the log */
  summary(): object
}

/** The open streams of this process. */
export interface Streams {
  /**
   * @throws 412 when events that followed on the position are no longer kept
   * @throws 429 when the organization has too many streams
   */
  open(wanted: WantedStream): Promise<StreamedAnswer>
}

/** What streams are sent as. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
const eventStream = 'text/event-stream'

/** The headers of a stream: nobody on its way may keep it, change it, or gather it before passing it on. */
export const streamHeaders = {
  'content-type': eventStream,
  'cache-control': 'private, no-cache, no-transform',
  'x-accel-buffering': 'no',
  vary: variesByCaller,
  // it is the last answer on its connection, so a server that ends need not wait for the client to close
  connection: 'close',
}

/** Whether a client would rather have a stream than JSON. */
export const prefersStream = (headers: Headers): boolean =>
  headers.accept !== undefined &&
  new Negotiator({ headers }).mediaType(['application/json', eventStream]) === eventStream

/**
 * Where a reader that was cut off goes on.
 * @throws 400 when it is no sequence
 */
export function readLastEventId(headers: Headers): number | undefined {
  const given = headers['last-event-id']
  // a reader that has seen no event may send it empty
  if (given === undefined || given === '') return undefined
  const sequence = Number(given)
  if (/^[0-9]{1,16}$/.test(String(given)) && Number.isSafeInteger(sequence)) return sequence
  throw badRequest('Last-Event-ID must be the id of an event of this stream', 'invalid_last_event_id')
}
