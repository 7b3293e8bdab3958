import { timesheetWords } from './timesheet-words.ts'

/** Tells readers whose time zone differs from the organization's. */
export function ZoneHint({ zone }: { zone: string }) {
  const now = new Date()
  const clock = (timeZone?: string) =>
    new Intl.DateTimeFormat(undefined, {
      weekday: 'short',
      timeStyle: undefined,
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    }).format(now)
  const [there, here] = [clock(zone), clock()]
  return there === here ? null : (
    <p class="quiet small ts-hint">{timesheetWords.zone(zone.replaceAll('_', ' '), there, here)}</p>
  )
}
