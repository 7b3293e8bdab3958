import { onAbort } from './abort.ts'
import { ConnectionError, TaskwrightError, TimeoutError } from './errors.ts'

/** A function that sends requests, such as the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface Limits {
  signal?: AbortSignal | undefined
  timeoutMs: number
}

/**
 * Sends a request once.
 * @param read what of the answer belongs to the attempt, and to its time
 * @throws ConnectionError, TimeoutError; when it is aborted, the reason of the signal
 */
export async function attempt<T>(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  { signal, timeoutMs }: Limits,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort()
  // not all that is given as fetch hears of signals
  const stopped = new Promise<never>((_, reject) => controller.signal.addEventListener('abort', reject))
  const forget = signal && onAbort(signal, stop)
  // a timer cannot be longer
  const timer = timeoutMs < 2 ** 31 ? setTimeout(stop, timeoutMs) : undefined
  try {
    const sent = fetch(url, { ...init, redirect: 'manual', signal: controller.signal })
    return await Promise.race([sent.then(read), stopped])
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof TaskwrightError) throw cause
    const { origin } = new URL(url)
    if (controller.signal.aborted) throw new TimeoutError(`No response from ${origin} within ${timeoutMs} ms`)
    throw new ConnectionError(`No response from ${origin}: ${reasonOf(cause)}`, { cause })
  } finally {
    clearTimeout(timer)
    forget?.()
  }
}

/** Why a fetch failed: Node says it in the cause of the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
