import { ApiError } from './errors.ts'

/** So many requests in so long a time, for each API key. */
export interface RateLimit {
  requests: number
  windowMs: number
}

const mostKeys = 100_000

/**
 * Counts the requests of each key in windows that begin with its first request. Each process counts for itself.
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
export function createRateLimiter({ requests, windowMs }: RateLimit) {
  const windows = new Map<string, { used: number; endsAtMs: number }>()
  const policy = `"default";q=${requests};w=${Math.ceil(windowMs / 1_000)}`

  return {
    /**
     * @returns the headers that tell what is left
     * @throws 429 when nothing is
     */
    count(keyId: string, nowMs: number): Record<string, string> {
      let window = windows.get(keyId)
      if (window === undefined || window.endsAtMs <= nowMs) {
        if (windows.size >= mostKeys) forgetEnded(nowMs)
        window = { used: 0, endsAtMs: nowMs + windowMs }
        windows.set(keyId, window)
      }
      window.used++
      const seconds = Math.ceil((window.endsAtMs - nowMs) / 1_000)
      const left = Math.max(0, requests - window.used)
      const headers = { 'ratelimit-policy': policy, ratelimit: `"default";r=${left};t=${seconds}` }
      if (window.used <= requests) return headers
      throw new ApiError(429, 'Too many requests; wait and try again', 'rate_limited', {
        headers: { ...headers, 'retry-after': String(seconds) },
      })
    },
  }

  function forgetEnded(nowMs: number) {
    for (const [keyId, { endsAtMs }] of windows) if (endsAtMs <= nowMs) windows.delete(keyId)
  }
}
