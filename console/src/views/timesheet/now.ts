import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** What time it is, while something runs. ms since 1970 */
export const now = signal(Date.now())

const everyMs = 1_000

/** Lets `now` go on for as long as something runs. */
export function useClock(runs: boolean): void {
  useEffect(() => {
    now.value = Date.now()
    if (!runs) return
    const timer = setInterval(() => {
      now.value = Date.now()
    }, everyMs)
    return () => clearInterval(timer)
  }, [runs])
}
