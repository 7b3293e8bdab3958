import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dayIn } from '../../parts/zone.ts'

const everyMs = 60_000

/** The current day in a time zone; it changes at midnight. */
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
