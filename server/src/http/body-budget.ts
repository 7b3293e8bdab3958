import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { unavailable } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'

/** How many bytes of bodies are read and worked on at a time for one organization. */
const maxBytes = 16_777_216

/** The bodies of requests under way, by organization: what they take in memory is a multiple of what was sent. */
export class BodyBudget {
  readonly #bytes = new Map<string, number>()
  /** of each connection, what is given back with it: an answer that is behind another one hears nothing of its end */
  readonly #inFlight = new WeakMap<Socket, Set<() => void>>()
  readonly #longest: number

  /** @param longest bytes of a body, taken where a request does not say how long it is */
  constructor(longest: number) {
    this.#longest = longest
  }

  /**
   * Notes the body of a request that is not read yet, until its request is done with or its connection ends.
   * @returns what must be called once the request is done with
   * @throws 503 when those before it are too much already
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
