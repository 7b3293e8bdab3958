import type { Socket } from 'node:net'
import type { Caller } from '../access/caller.ts'
import type { RequestMetrics } from '../monitoring/requests.ts'

/** A request and its answer, as the server in front of the routes knows them. */
interface Exchange {
  request: {
    id: string
    method: string
    /** `url`: the path with placeholders for ids; absent of an unknown path */
    routeOptions: { url?: string | undefined }
    /** where it came from */
    address: string
    caller: Caller | undefined
    raw: { socket: Socket }
  }
  raw: { headersSent: boolean }
  statusCode: number
  /** milliseconds */
  elapsedTime: number
}

interface Logger {
  info(said: object, sentence: string): void
}

/** One line in the log of each request, and one count, whatever becomes of it. */
export class RequestLog {
  readonly #logger: Logger
  readonly #metrics: RequestMetrics
  /** by connection, those that are not answered yet: a response that waits behind another one gets no close event */
  readonly #inFlight = new WeakMap<Socket, Set<Exchange>>()
  readonly #noted = new WeakMap<Exchange['request'], object>()

  constructor(logger: Logger, metrics: RequestMetrics) {
    this.#logger = logger
    this.#metrics = metrics
  }

  begin(exchange: Exchange): void {
    const { socket } = exchange.request.raw
    const known = this.#inFlight.get(socket)
    if (known) return void known.add(exchange)
    const inFlight = new Set([exchange])
    this.#inFlight.set(socket, inFlight)
    socket.once('close', () => {
      for (const left of inFlight) this.#abandoned(left)
      inFlight.clear()
    })
  }

  /** Notes what else its line is to say. */
  note(request: Exchange['request'], said: object): void {
    this.#noted.set(request, said)
  }

  /** @param status of the answer */
  answered(exchange: Exchange, status = exchange.statusCode): void {
    const route = routeOf(exchange)
    if (!this.#counted(exchange, route, status)) return
    this.#logger.info(lineOf(exchange, route, status, this.#noted.get(exchange.request)), 'answered')
  }

  /** A stream has begun; it is counted now, and gets its line when it is over. */
  streamed(exchange: Exchange, status: number): void {
    this.#counted(exchange, routeOf(exchange), status)
  }

  /** @param said what there is to say of a stream that is over */
  streamEnded(exchange: Exchange, said: object): void {
    this.#logger.info(lineOf(exchange, routeOf(exchange), exchange.statusCode, said), 'answered')
  }

  /** What came was no request, or not all of one. */
  unreadable(socket: Socket, { requestId, status }: { requestId: string; status: number }): void {
    this.#metrics.unreadable(status)
    const begun = [...(this.#inFlight.get(socket) ?? [])]
    for (const exchange of begun) this.answered(exchange, status)
    const address = socket.remoteAddress
    if (begun.length === 0) this.#logger.info({ requestId, status, address }, 'what is no request was refused')
  }

  #counted(exchange: Exchange, route: string | undefined, status: number): boolean {
    const { method, raw } = exchange.request
    if (!this.#inFlight.get(raw.socket)?.delete(exchange)) return false
    this.#metrics.answered(method, route, status, exchange.elapsedTime / 1_000)
    return true
  }

  #abandoned(exchange: Exchange): void {
    const route = routeOf(exchange)
    this.#metrics.abandoned(exchange.request.method, route)
    const status = exchange.raw.headersSent ? exchange.statusCode : undefined
    const line = lineOf(exchange, route, status, this.#noted.get(exchange.request))
    this.#logger.info(line, 'the connection closed before the answer')
  }
}

// asked for once a request: fastify puts all of its options together for each question
const routeOf = ({ request }: Exchange) => request.routeOptions.url

/**
 * What the log says of a request: nothing of its words, neither of its path and query nor of its headers and body.
 * @param more what else there is to say of it
 */
function lineOf(
  { request, elapsedTime }: Exchange,
  route: string | undefined,
  status: number | undefined,
  more: object | undefined,
): object {
  const { id: requestId, method, address, caller } = request
  const ms = Math.round(elapsedTime * 10) / 10
  const { orgId, memberId, keyId } = caller ?? nobody
  const line = { requestId, method, route, status, ms, address, orgId, memberId, keyId }
  return more ? { ...line, ...more } : line
}

const nobody: Partial<Caller> = {}
