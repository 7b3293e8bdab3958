import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../contract/error-codes.ts'

const socketErrors: Record<string, [status: number, message: string, code: ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive', 'request_timeout'],
}

/**
 * How many connections can wait until Node accepts them; Linux caps it at net.core.somaxconn. If more arrive at once, Linux
 * drops some, and their clients try again after 1, 3 and 7 s. Node's default is 511. Node accepts one connection in each turn
 * of its event loop.
 */
export const listenBacklog = 4_096

/** How long requests can take to arrive. */
export interface ArrivalLimits {
  /** from the first byte of a request to its last; then the server sends a 408 */
  requestMs: number
  /** the rest of a request after an early response such as a 401; then the server closes the connection */
  restMs: number
}

/** The options of Node's server that enforce the limits. */
export const serverTimeouts = ({ requestMs }: ArrivalLimits) => ({
  requestTimeout: requestMs,
  // Node applies the longer one of the two to the whole request
  headersTimeout: requestMs,
  connectionsCheckingInterval: Math.ceil(requestMs / 30),
})

/** After an early response, closes the connection unless the rest of the request arrives in time. */
export function closeAfterRest(request: IncomingMessage, { restMs }: ArrivalLimits): void {
  if (request.complete) return
  const late = setTimeout(() => request.complete || request.socket.destroy(), restMs)
  request.once('close', () => clearTimeout(late))
}

/** The open connections of a server, each with its last response. */
export type ClientConnections = Map<Socket, ServerResponse | undefined>

/** Keeps track of the connections of a server. */
export function trackConnections(server: Server): ClientConnections {
  const open: ClientConnections = new Map()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    // each request in flight adds listeners to the socket
    socket.setMaxListeners(0)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    if (open.has(socket)) open.set(socket, response)
  })
  return open
}

/**
 * Answers data that is no valid HTTP request, with the error envelope.
 * @param last the last response on this connection. If it is in flight, the server still sends it, and nothing after it
 * @returns the response that was sent; undefined if none was sent for this data
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
