import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { unavailable } from '../../contract/errors.ts'
import type { Headers } from '../../contract/headers.ts'

/** How many bytes of request bodies one organization may have in flight. */
const maxBytes = 16_777_216

/** Limits the bodies of requests in flight, by organization: in memory they take a multiple of what was sent. */
export class BodyBudget {
  readonly #bytes = new Map<string, number>()
  /** by connection, what to release when it closes: a response that waits behind another one gets no close event */
  readonly #inFlight = new WeakMap<Socket, Set<() => void>>()
  readonly #longest: number

  /** @param longest bytes of a body, assumed where a request has no Content-Length */
  constructor(longest: number) {
    this.#longest = longest
  }

  /**
   * Counts the body of a request, which is not read yet, until the request is done or its connection closes.
   * @returns to be called once the request is done
   * @throws 503 when it is too much beside the bodies in flight
   */
  begin(orgId: string, { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): () => void {
    const bytes = this.#lengthOf(headers)
    if (bytes === 0 || socket.destroyed) return nothing
    const before = this.#bytes.get(orgId) ?? 0
    if (before > 0 && before + bytes > maxBytes) throw tooMuch
    this.#bytes.set(orgId, before + bytes)
    const inFlight = this.#inFlightOn(socket)
    const end = () => {
      if (!inFlight.delete(end)) return
      const left = (this.#bytes.get(orgId) ?? 0) - bytes
      if (left > 0) this.#bytes.set(orgId, left)
      else this.#bytes.delete(orgId)
    }
    inFlight.add(end)
    return end
  }

  #inFlightOn(socket: Socket): Set<() => void> {
    const known = this.#inFlight.get(socket)
    if (known) return known
    const inFlight = new Set<() => void>()
    this.#inFlight.set(socket, inFlight)
    socket.once('close', () => {
      for (const end of inFlight) end()
    })
    return inFlight
  }

  #lengthOf(headers: Headers): number {
    if (headers['transfer-encoding'] !== undefined) return this.#longest
    return Math.min(this.#longest, Number(headers['content-length'] ?? 0))
  }
}

const nothing = () => {}

const tooMuch = unavailable('Too many large requests at once; try again')
