import type { DayZone } from '../arguments/days.ts'
import type { Output } from '../terminal.ts'
import type { Reading } from './reading.ts'

/**
 * The time zone of the organization, whose days reports and due dates are of.
 * @param err is told whose days these are, where the clock here is in another time zone
 */
export function dayZoneOf(reading: Reading, err: Output | undefined): DayZone {
  let zone: Promise<string> | undefined
  return () => {
    zone ??= read()
    return zone
  }

  async function read(): Promise<string> {
    const { organization } = (await reading.one('/me')) ?? {}
    const timezone = organization?.timezone ?? 'UTC'
    if (canonical(timezone) !== canonical(undefined))
      err?.write(`Days are in ${timezone}, the time zone of the organization.\n`)
    return timezone
  }
}

const canonical = (timeZone: string | undefined) => Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
