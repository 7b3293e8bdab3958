import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { ClientConnections } from './sockets.ts'

/** How long a server that ends waits for its clients. */
export interface DrainLimits {
  /** how long connections that are open but idle may still send a request */
  graceMs: number
  /** how long a request may take until its connection is destroyed */
  maxRequestMs: number
}

interface Drain extends DrainLimits {
  /** ends the answers that would not end by themselves */
  endStreams?: () => void
}

// in case they never stop coming
const maxQuietWaitMs = 3_000

/**
 * Ends without dropping a request. New connections are refused, and every answer asks its client to close. Connections that
 * stay idle for the grace time are closed; requests in flight are answered, and streams end.
 */
export async function drain(
  server: Server,
  open: ClientConnections,
  { graceMs, maxRequestMs, endStreams = () => {} }: Drain,
): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), maxRequestMs)
  await untilQuiet(server, ['connection'])
  // net.Server's `close`: that of http.Server also closes idle connections, on which a request may be on its way
  NetServer.prototype.close.call(server)
  // not before: a client that is asked to close would connect again at once
  askToClose(server, open)
  endStreams()
  const silent = setInterval(() => void closeIdle(server, open), graceMs)
  for (const socket of open.keys()) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(silent)
  clearTimeout(late)
}

/** From now on the last answer on each connection says `Connection: close`. */
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

/** Closes idle connections, once all that has arrived is read: after a long turn of the event loop much may be unread. */
async function closeIdle(server: Server, open: ClientConnections): Promise<void> {
  await untilQuiet(server, ['connection', 'request'])
  server.closeIdleConnections()
  // Node counts connections that have sent nothing yet as busy
  for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
}

/** Waits until none of these events happens any more: then all that the kernel has accepted is known here too. */
export async function untilQuiet(of: EventEmitter, events: readonly string[]): Promise<void> {
  const begunMs = performance.now()
  let happened = true
  const note = () => {
    happened = true
  }
  for (const event of events) of.on(event, note)
  // two quiet turns of the event loop: the first one is half over, and what is accepted in one turn is read in the next
  for (let still = 0; still < 2 && performance.now() - begunMs < maxQuietWaitMs; ) {
    happened = false
    await turn()
    still = happened ? 0 : still + 1
  }
  for (const event of events) of.off(event, note)
}
