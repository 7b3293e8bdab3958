import type { Headers } from './auth.ts'
import { unavailable } from './errors.ts'

/** How many bytes of bodies are read and worked on at a time for one organization. */
const mostBytes = 16_777_216

/** The bodies of requests under way, by organization: what they take in memory is a multiple of what was sent. */
export class Bodies {
  readonly #bytes = new Map<string, number>()
  readonly #longest: number

  /** @param longest bytes of a body, taken where a request does not say how long it is */
  constructor(longest: number) {
    this.#longest = longest
  }

  /**
   * Notes the body of a request that is not read yet.
   * @returns what must be called once its request is done with
   * @throws 503 when those before it are too much already
   */
  begin(orgId: string, headers: Headers): () => void {
    const bytes = this.#lengthOf(headers)
    if (bytes === 0) return nothing
    const before = this.#bytes.get(orgId) ?? 0
    if (before > 0 && before + bytes > mostBytes) throw tooMuch
    this.#bytes.set(orgId, before + bytes)
    return () => {
      const left = (this.#bytes.get(orgId) ?? 0) - bytes
      if (left > 0) this.#bytes.set(orgId, left)
      else this.#bytes.delete(orgId)
    }
  }

  #lengthOf(headers: Headers): number {
    if (headers['transfer-encoding'] !== undefined) return this.#longest
    return Math.min(this.#longest, Number(headers['content-length'] ?? 0))
  }
}

const nothing = () => {}

const tooMuch = unavailable('Too many large requests at once; try again')
