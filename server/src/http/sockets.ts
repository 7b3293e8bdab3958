import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../contract/error-codes.ts'

const socketErrors: Record<string, [status: number, message: string, code: ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive', 'request_timeout'],
}

/**
 * How many connections may wait to be accepted; Linux holds it to net.core.somaxconn. Of more than that, which come at
 * once, it drops some, whose clients try again after 1, 3 and 7 s; Node's own number is 511. Node takes one in each turn of
 * its event loop, so those that wait here do so for as many turns as there are before them.
 */
export const listenBacklog = 4_096

/** How long requests may take to arrive. */
export interface ArrivalLimits {
  /** from its first byte to its last; then 408 */
  requestMs: number
  /** the rest of a request that was answered early, as with 401; then the connection is closed */
  restMs: number
}

/** The options of a server that enforce the limits. */
export const serverTimeouts = ({ requestMs }: ArrivalLimits) => ({
  requestTimeout: requestMs,
  // Node applies the longer one of the two to the whole request
  headersTimeout: requestMs,
  connectionsCheckingInterval: Math.ceil(requestMs / 30),
})

/** Closes the connection of a request that was answered before all of it had arrived, unless the rest comes soon. */
export function awaitRest(request: IncomingMessage, { restMs }: ArrivalLimits): void {
  if (request.complete) return
  const late = setTimeout(() => request.complete || request.socket.destroy(), restMs)
  request.once('close', () => clearTimeout(late))
}

/** The open connections of a server, whoever accepted them, each with its last answer. */
export type ClientConnections = Map<Socket, ServerResponse | undefined>

/** Keeps track of the connections of a server. */
export function trackConnections(server: Server): ClientConnections {
  const open: ClientConnections = new Map()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    // each request that is under way listens for its end
    socket.setMaxListeners(0)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    if (open.has(socket)) open.set(socket, response)
  })
  return open
}

/**
 * Answers what is no valid HTTP request, in the envelope too.
 * @param last the answer to the request before it, or to the one whose body this is: if that is in flight it is still sent,
 *   and nothing after it
 * @returns what it was answered with; undefined when that was nothing of its own
 */
export function answerSocket(
  error: Error & { code?: string },
  socket: Socket,
  last?: ServerResponse,
): { status: number; requestId: string } | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (last !== undefined && (last.headersSent || last.req.complete)) {
    if (!last.writableFinished) {
      if (!last.headersSent) last.setHeader('connection', 'close')
      return void last.once('close', () => socket.end())
    }
    if (!last.req.complete) return void socket.destroy()
  }
  const malformed: [number, string, ErrorCode] = [400, 'The request is not valid HTTP', 'malformed_http']
  const [status, message, code] = socketErrors[error.code ?? ''] ?? malformed
  const requestId = randomUUID()
  const body = JSON.stringify({ error: message })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `X-Error-Code: ${code}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  return { status, requestId }
}
