import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Connections } from './sockets.ts'

/** How long a server that ends waits for its clients. */
export interface DrainLimits {
  /** how long connections that are open but idle may still send a request */
  graceMs: number
  /** how long a request may take until its connection is cut */
  maxRequestMs: number
}

// should they come without end
const maxQuietWaitMs = 1_000

/**
 * Ends without dropping a request: no new connections, every answer asks its client to close; whoever is silent through
 * the grace is closed, whoever waits for an answer gets it.
 */
export async function drain(server: Server, open: Connections, { graceMs, maxRequestMs }: DrainLimits): Promise<void> {
  await untilQuiet(server, ['connection'])
  // of net.Server, because that of http.Server also closes connections whose next request may be on its way
  NetServer.prototype.close.call(server)
  // not before: who is asked would come again at once, by a new connection
  askToClose(server, open)
  const silent = setInterval(() => void closeIdle(server, open), graceMs)
  const late = setTimeout(() => server.closeAllConnections(), maxRequestMs)
  for (const socket of open.keys()) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(silent)
  clearTimeout(late)
}

/** The last answer on each connection says from now on that it is the last. */
function askToClose(server: Server, open: Connections): void {
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

/** Closes who says nothing, once all that was said has been heard: after a standstill much may wait to be read. */
async function closeIdle(server: Server, open: Connections): Promise<void> {
  await untilQuiet(server, ['connection', 'request'])
  server.closeIdleConnections()
  // these count as busy with their first request
  for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
}

/** Waits until nothing of this happens: what the kernel has taken is then taken here too. */
export async function untilQuiet(of: EventEmitter, events: readonly string[]): Promise<void> {
  const begunMs = performance.now()
  let happened = true
  const note = () => {
    happened = true
  }
  for (const event of events) of.on(event, note)
  // two turns of the event loop: the first is half over, and what is accepted in one is read in the next
  for (let still = 0; still < 2 && performance.now() - begunMs < maxQuietWaitMs; ) {
    happened = false
    await turn()
    still = happened ? 0 : still + 1
  }
  for (const event of events) of.off(event, note)
}
