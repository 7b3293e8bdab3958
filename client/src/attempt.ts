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
 * @param read reads the response as part of the attempt, within its time limit
 * @throws ConnectionError, TimeoutError; if it is aborted, the reason of the signal
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
  // a custom fetch may ignore the signal
  const stopped = new Promise<never>((_, reject) => controller.signal.addEventListener('abort', reject))
  const forget = signal && onAbort(signal, stop)
  // a longer timer would fire at once
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

/** The reason of a failed fetch. Node has it in nested causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
