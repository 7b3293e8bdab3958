const heard = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `stop` when a signal is aborted. The signal must not be aborted yet. All calls that share a signal share one listener,
 * because Node warns about more than ten.
 * @returns a function that removes `stop` again
 */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const known = heard.get(signal)
  const stops = known ?? new Set()
  stops.add(stop)
  if (known === undefined) {
    heard.set(signal, stops)
    signal.addEventListener('abort', () => {
      for (const one of stops) one()
    })
  }
  return () => void stops.delete(stop)
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms)
    const forget = signal && onAbort(signal, end)
    function end() {
      clearTimeout(timer)
      forget?.()
      resolve()
    }
  })
  signal?.throwIfAborted()
}
