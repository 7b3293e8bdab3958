import type { DayZone } from '../arguments/days.ts'
import type { Output } from '../terminal.ts'
import type { NameReader } from './name-reader.ts'

/**
 * The time zone of the organization, which reports and due dates use.
 * @param err gets a note if this machine uses another time zone
 */
export function dayZoneOf(reading: NameReader, err: Output | undefined): DayZone {
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
