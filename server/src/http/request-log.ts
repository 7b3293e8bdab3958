import type { Socket } from 'node:net'
import type { Caller } from '../access/caller.ts'
import type { RequestMetrics } from '../monitoring/requests.ts'

/** A request and its response. */
interface Exchange {
  request: {
    id: string
    method: string
    /** `url`: the path with placeholders for ids; absent for an unknown path */
    routeOptions: { url?: string | undefined }
    /** the address of the client */
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

/** Writes one log line and one count for each request, even if the client leaves before the response. */
export class RequestLog {
  readonly #logger: Logger
  readonly #metrics: RequestMetrics
  /** open requests by connection: Node emits no close event on a response that waits behind another one */
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

  /** Adds fields to the log line of a request. */
  note(request: Exchange['request'], said: object): void {
    this.#noted.set(request, said)
  }

  answered(exchange: Exchange, status = exchange.statusCode): void {
    const route = routeOf(exchange)
    if (!this.#counted(exchange, route, status)) return
    this.#logger.info(lineOf(exchange, route, status, this.#noted.get(exchange.request)), 'answered')
  }

  /** Counts a stream when it begins. `streamEnded` writes its line. */
  streamed(exchange: Exchange, status: number): void {
    this.#counted(exchange, routeOf(exchange), status)
  }

  /** Writes the line of a stream. @param said more fields of the line */
  streamEnded(exchange: Exchange, said: object): void {
    this.#logger.info(lineOf(exchange, routeOf(exchange), exchange.statusCode, said), 'answered')
  }

  /** Logs and counts data that is no valid request, or an incomplete one. */
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

// read this once per request: fastify builds the whole object at each access
const routeOf = ({ request }: Exchange) => request.routeOptions.url

/**
 * The fields of a log line. None of them comes from the path, the query, the headers or the body of the request.
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
