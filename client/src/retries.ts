import { ApiError, ConnectionError, type TaskwrightError, TimeoutError } from './errors.ts'

/** Whether a status says: not now. Any other is the same the next time. */
export const isPassing = (status: number): boolean => [408, 429, 502, 503, 504].includes(status)

/** Whether the answer to a POST is given again to each that has its key. @see docs/contract.md §4.3 */
export const isKept = (status: number): boolean => status < 500 && ![401, 408, 429].includes(status)

/** Whether the same request may succeed a little later. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ApiError ? isPassing(error.status) : hasNoAnswer(error)

/** Whether what was asked for may have been done all the same. */
export const isUncertain = (error: TaskwrightError): boolean =>
  error instanceof ApiError ? error.status >= 500 : hasNoAnswer(error)

const hasNoAnswer = (error: unknown) => error instanceof ConnectionError || error instanceof TimeoutError

/**
 * How long to wait: what the server asks for, and a time by chance, so that those who were cut off together do not come back
 * together.
 * @param failures before this one
 * @see AWS Architecture Blog, "Exponential Backoff And Jitter": full jitter
 */
export function pauseMsAfter(error: unknown, failures: number, firstMs: number, longestMs: number): number {
  const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
  return askedMs + Math.random() * Math.min(longestMs, firstMs * 2 ** failures)
}
