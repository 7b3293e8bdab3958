import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

const socketErrors: Record<string, [status: string, message: string, code: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive', 'request_timeout'],
}

/**
 * How many connections may wait to be accepted; Linux holds it to net.core.somaxconn. Of more than that, which come at
 * once, it drops some, whose clients try again after 1, 3 and 7 s; Node's own number is 511.
 */
export const mostUnaccepted = 4_096

/** The last answer on each connection of a server. */
export function answersOf(server: Server): WeakMap<object, ServerResponse> {
  const answers = new WeakMap<object, ServerResponse>()
  server.on('request', ({ socket }, response) => answers.set(socket, response))
  return answers
}

/**
 * Answers what never became a request in the envelope too.
 * @param last the answer to the request before it: where that is under way it goes out, and nothing behind it
 */
export function answerSocket(error: Error & { code?: string }, socket: Socket, last?: ServerResponse): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (last?.req.complete && !last.writableFinished) {
    if (!last.headersSent) last.setHeader('connection', 'close')
    return void last.once('close', () => socket.end())
  }
  const malformed: [string, string, string] = ['400 Bad Request', 'The request is not valid HTTP', 'malformed_http']
  const [status, message, code] = socketErrors[error.code ?? ''] ?? malformed
  const body = JSON.stringify({ error: message })
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      `X-Error-Code: ${code}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

export interface DrainLimits {
  /** how long connections that are open but idle may still send a request */
  graceMs: number
  /** how long a request may take until its connection is cut */
  longestMs: number
}

/** The open connections of a server, whoever accepted them. */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/**
 * Ends without dropping a request: no new connections, every answer asks its client to close; whoever is silent through
 * the grace is closed, whoever waits for an answer gets it.
 */
export async function drained(
  server: Server,
  open: ReadonlySet<Socket>,
  { graceMs, longestMs }: DrainLimits,
): Promise<void> {
  // of net.Server, because that of http.Server also closes connections whose next request may be on its way
  NetServer.prototype.close.call(server)
  const silent = setInterval(() => server.closeIdleConnections(), graceMs)
  const late = setTimeout(() => server.closeAllConnections(), longestMs)
  for (const socket of open) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(silent)
  clearTimeout(late)
}
