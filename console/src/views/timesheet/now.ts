import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The current time in ms since 1970, updated while an entry runs. */
export const now = signal(Date.now())

const everyMs = 1_000

/** Updates `now` while an entry runs. */
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
