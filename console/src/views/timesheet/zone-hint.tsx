import { words } from '../../words.ts'

/** Says so where the clocks of the organization are not those of the reader. */
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
    <p class="quiet small ts-hint">{words.timesheet.zone(zone.replaceAll('_', ' '), there, here)}</p>
  )
}
