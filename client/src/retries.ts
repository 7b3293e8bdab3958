import { ApiError, ConnectionError, type TaskwrightError, TimeoutError } from './errors.ts'

/** Whether the status is temporary. With any other status, a retry gets the same response. */
export const isPassing = (status: number): boolean => [408, 429, 502, 503, 504].includes(status)

/** Whether the server replays this response to requests with the same Idempotency-Key. @see docs/contract.md §4.3 */
export const isKept = (status: number): boolean => status < 500 && ![401, 408, 429].includes(status)

/** Whether a retry may succeed. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ApiError ? isPassing(error.status) : hasNoAnswer(error)

/** Whether the write may have been made although the call failed. */
export const isUncertain = (error: TaskwrightError): boolean =>
  error instanceof ApiError ? error.status >= 500 : hasNoAnswer(error)

const hasNoAnswer = (error: unknown) => error instanceof ConnectionError || error instanceof TimeoutError

/**
 * How long to wait before a retry: the time that the server asks for, plus a random time. Clients that lost their connection
 * together do not come back together.
 * @param failures the number of earlier failures
 * @see AWS Architecture Blog, "Exponential Backoff And Jitter": full jitter
 */
export function pauseMsAfter(error: unknown, failures: number, firstMs: number, longestMs: number): number {
  const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
  return askedMs + Math.random() * Math.min(longestMs, firstMs * 2 ** failures)
}
