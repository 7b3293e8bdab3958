import type { Caller } from '../access/caller.ts'
import { ApiError } from '../contract/errors.ts'

/** How many requests the server allows in a window of time. */
export interface RateLimit {
  requests: number
  windowMs: number
}

interface RateLimits {
  /** the limit of each member, over all of their keys */
  member: RateLimit | undefined
  /** the limit of each organization, over all of its members; default: ten times that of a member */
  organization?: RateLimit | undefined
}

/** The default limit of an organization, as a multiple of the limit of a member. */
const membersWorth = 10

/**
 * Counts the requests of each member and of each organization, in windows that begin with the first request. More keys or more
 * members do not raise the limits. Each process counts its own requests.
 * @returns undefined where there is no limit
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
export function createRateLimiter({ member, organization = member && times(membersWorth, member) }: RateLimits) {
  if (organization === undefined) return undefined
  const organizations = new Windows('organization', organization)
  const members = new Windows('default', member ?? organization)

  return {
    /**
     * Counts a request.
     * @param nowMs of the monotonic clock
     * @returns the rate limit headers of the tighter limit
     * @throws 429 if no request is left
     */
    count({ orgId, memberId }: Pick<Caller, 'orgId' | 'memberId'>, nowMs: number): Record<string, string> {
      // check both limits first: a refused request of one member must not count against the others
      if (organizations.left(orgId, nowMs) === 0) throw tooMany(organizations.headers(orgId, nowMs))
      const who = `${orgId} ${memberId}`
      if (members.left(who, nowMs) === 0) throw tooMany(members.headers(who, nowMs))
      organizations.use(orgId, nowMs)
      members.use(who, nowMs)
      const tighter = organizations.left(orgId, nowMs) < members.left(who, nowMs)
      return tighter ? organizations.headers(orgId, nowMs) : members.headers(who, nowMs)
    },
  }
}

/** The requests that each member or organization has used. Only counted requests create entries. */
class Windows {
  readonly #name: string
  readonly #limit: RateLimit
  readonly #windows = new Map<string, { used: number; endsAtMs: number }>()
  #cleanUpAt = 1_000

  constructor(name: string, limit: RateLimit) {
    this.#name = name
    this.#limit = limit
  }

  left(who: string, nowMs: number): number {
    return this.#limit.requests - (this.#current(who, nowMs)?.used ?? 0)
  }

  use(who: string, nowMs: number): void {
    const window = this.#current(who, nowMs)
    if (window) window.used++
    else this.#begin(who, nowMs)
  }

  headers(who: string, nowMs: number): Record<string, string> {
    const { requests, windowMs } = this.#limit
    const leftMs = (this.#current(who, nowMs)?.endsAtMs ?? nowMs + windowMs) - nowMs
    return {
      'ratelimit-policy': `"${this.#name}";q=${requests};w=${Math.ceil(windowMs / 1_000)}`,
      ratelimit: `"${this.#name}";r=${this.left(who, nowMs)};t=${Math.ceil(leftMs / 1_000)}`,
    }
  }

  #current(who: string, nowMs: number) {
    const window = this.#windows.get(who)
    return window && window.endsAtMs > nowMs ? window : undefined
  }

  #begin(who: string, nowMs: number): void {
    if (this.#windows.size >= this.#cleanUpAt) this.#forgetEnded(nowMs)
    this.#windows.set(who, { used: 1, endsAtMs: nowMs + this.#limit.windowMs })
  }

  #forgetEnded(nowMs: number): void {
    for (const [who, { endsAtMs }] of this.#windows) if (endsAtMs <= nowMs) this.#windows.delete(who)
    // wait until the number of entries doubles, so a cleanup stays cheap per request
    this.#cleanUpAt = Math.max(1_000, 2 * this.#windows.size)
  }
}

const times = (n: number, { requests, windowMs }: RateLimit): RateLimit => ({ requests: n * requests, windowMs })

function tooMany(headers: Record<string, string>): ApiError {
  const retryAfter = /t=(\d+)/.exec(headers.ratelimit ?? '')?.[1] ?? '1'
  return new ApiError(429, 'Too many requests; wait and try again', 'rate_limited', {
    headers: { ...headers, 'retry-after': retryAfter },
  })
}
