import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { ClientConnections } from './sockets.ts'

/** How long a stopping server waits for its clients. */
export interface DrainLimits {
  /** how long an idle connection can still send a request */
  graceMs: number
  /** how long a request can take until the server destroys its connection */
  maxRequestMs: number
}

interface Drain extends DrainLimits {
  /** ends the event streams, which would not end by themselves */
  endStreams?: () => void
}

// the limit if new events never stop
const maxQuietWaitMs = 3_000

/**
 * Stops a server without dropping a request. It refuses new connections, and every response asks its client to close. It closes
 * connections that stay idle for the grace time, answers requests in flight, and ends streams.
 */
export async function drain(
  server: Server,
  open: ClientConnections,
  { graceMs, maxRequestMs, endStreams = () => {} }: Drain,
): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), maxRequestMs)
  await untilQuiet(server, ['connection'])
  // call `close` of net.Server: the one of http.Server also closes idle connections, where a request can be on its way
  NetServer.prototype.close.call(server)
  // only now: before, a client that is asked to close would connect again at once
  askToClose(server, open)
  endStreams()
  const silent = setInterval(() => void closeIdle(server, open), graceMs)
  for (const socket of open.keys()) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(silent)
  clearTimeout(late)
}

/** From now on, the last response on each connection has `Connection: close`. */
function askToClose(server: Server, open: ClientConnections): void {
  const mark = (socket: Socket) => {
    const last = open.get(socket)
    if (last && !last.headersSent) last.setHeader('connection', 'close')
  }
  for (const socket of open.keys()) mark(socket)
  server.prependListener('request', ({ socket }, response) => {
    const before = open.get(socket)
    if (before !== response && before && !before.headersSent) before.removeHeader('connection')
    open.set(socket, response)
    mark(socket)
  })
}

/** Closes idle connections, but reads pending data first: after a long turn of the event loop, requests can be unread. */
async function closeIdle(server: Server, open: ClientConnections): Promise<void> {
  await untilQuiet(server, ['connection', 'request'])
  server.closeIdleConnections()
  // Node counts a connection without any data as busy
  for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
}

/** Waits until none of these events happens. Then Node knows every connection that the kernel has accepted. */
export async function untilQuiet(of: EventEmitter, events: readonly string[]): Promise<void> {
  const begunMs = performance.now()
  let happened = true
  const note = () => {
    happened = true
  }
  for (const event of events) of.on(event, note)
  // two quiet turns: the first turn is half over, and Node reads a connection in the turn after it accepts the connection
  for (let still = 0; still < 2 && performance.now() - begunMs < maxQuietWaitMs; ) {
    happened = false
    await turn()
    still = happened ? 0 : still + 1
  }
  for (const event of events) of.off(event, note)
}
