import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientConnections } from './sockets.ts'

/**
 * Closes connections whose clients read nothing, because unsent responses stay in memory.
 * @param afterMs how long a client can read nothing
 */
export function closeStalledConnections(server: Server, connections: ClientConnections, afterMs: number): void {
  const waiting = new WeakMap<Socket, { taken: number; sinceMs: number }>()
  const look = () => {
    const nowMs = performance.now()
    for (const socket of connections.keys()) {
      const taken = socket.bytesWritten - socket.writableLength
      const last = waiting.get(socket)
      if (socket.writableLength === 0) waiting.delete(socket)
      else if (last?.taken !== taken) waiting.set(socket, { taken, sinceMs: nowMs })
      else if (nowMs - last.sinceMs >= afterMs) socket.destroy()
    }
  }
  const looking = setInterval(look, afterMs / 6).unref()
  server.once('close', () => clearInterval(looking))
}
