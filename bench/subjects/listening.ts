import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Tells the process that started this one where it listens, and ends together with it. */
export function announce(server: Server): void {
  const { port } = server.address() as AddressInfo
  process.send?.({ base: `http://127.0.0.1:${port}` })
  process.once('disconnect', () => process.exit())
  process.once('SIGTERM', () => process.exit())
  // Ctrl-C reaches the whole group; whoever measures ends its subjects by itself
  process.on('SIGINT', () => {})
}
