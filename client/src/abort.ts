const heard = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls something once a signal is aborted, which it is not yet. However many calls share a signal it has one listener: Node
 * warns of more than ten.
 * @returns what takes it back
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

/** Waits, or rejects with the reason of the signal as soon as that is aborted. */
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
