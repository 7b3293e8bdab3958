import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dayIn } from '../../parts/zone.ts'

const everyMs = 60_000

/** The day that it is by the clocks of a zone, also behind midnight. */
export function useToday(zone: string): string {
  const today = useSignal(dayIn(zone, new Date()))
  useEffect(() => {
    const look = () => {
      today.value = dayIn(zone, new Date())
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [zone])
  return today.value
}
