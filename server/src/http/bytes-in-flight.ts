import type { IncomingMessage, ServerResponse } from 'node:http'
import { unavailable } from '../contract/errors.ts'

/** Limits how many bytes of an organization are in memory at a time: of bodies, or of answers. */
export class BytesInFlight {
  readonly #maxBytes: number
  readonly #tooMany: Error
  readonly #bytes = new Map<string, number>()

  /** @param refusal what the 503 says */
  constructor(maxBytes: number, refusal: string) {
    this.#maxBytes = maxBytes
    this.#tooMany = unavailable(refusal)
  }

  /**
   * @param bytes of one more body or answer. A single one may be of any length
   * @throws 503
   */
  refuseIfTooMany(orgId: string, bytes = 0): void {
    const before = this.#bytes.get(orgId) ?? 0
    if (before > 0 && before + bytes > this.#maxBytes) throw this.#tooMany
  }

  /** Counts bytes until the returned function is called. */
  add(orgId: string, bytes: number): () => void {
    this.#bytes.set(orgId, (this.#bytes.get(orgId) ?? 0) + bytes)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      const left = (this.#bytes.get(orgId) ?? 0) - bytes
      if (left > 0) this.#bytes.set(orgId, left)
      else this.#bytes.delete(orgId)
    }
  }
}

/** Calls back when an answer was sent or its connection closed: an answer that waits behind another one is not told of that. */
export function onceSent({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
  if (socket.destroyed) {
    act()
    return
  }
  const end = () => {
    socket.off('close', end)
    response.off('close', end)
    act()
  }
  socket.once('close', end)
  response.once('close', end)
}

/** @param longest what is assumed where a request does not say how long its body is */
export function bodyLength({ headers }: IncomingMessage, longest: number): number {
  if (headers['transfer-encoding'] !== undefined) return longest
  return Math.min(longest, Number(headers['content-length'] ?? 0))
}
