import type { Socket } from 'node:net'

/** The requests of each connection that are not answered yet, so that none is forgotten when a connection closes. */
export class InFlight<Exchange> {
  readonly #of = new WeakMap<Socket, Set<Exchange>>()
  readonly #onClosed: (exchange: Exchange) => void

  /** @param onClosed called for each whose connection closed before it was answered */
  constructor(onClosed: (exchange: Exchange) => void) {
    this.#onClosed = onClosed
  }

  begin(socket: Socket, exchange: Exchange): void {
    const known = this.#of.get(socket)
    if (known) return void known.add(exchange)
    this.#of.set(socket, new Set([exchange]))
    socket.once('close', () => {
      for (const left of this.of(socket)) if (this.end(socket, left)) this.#onClosed(left)
    })
  }

  /** @returns whether it was still under way */
  end(socket: Socket, exchange: Exchange): boolean {
    return this.#of.get(socket)?.delete(exchange) ?? false
  }

  /** Those that are under way. */
  of(socket: Socket): Exchange[] {
    return [...(this.#of.get(socket) ?? [])]
  }
}
