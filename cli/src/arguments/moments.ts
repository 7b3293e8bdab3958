import { WrongUse } from '../problems.ts'
import { beginningOf, type DayZone, dayAfter, dayByWord, isDay, todayIn } from './days.ts'

const offset = /(Z|[+-]\d\d:\d\d)$/i
const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d{1,9})?)?$/

/**
 * Converts typed text to a date-time for the API. A day is its start in the organization's time zone; for `--to` it is its end.
 * A time without an offset uses this machine's time zone, and a time alone is today.
 * @param isAhead a weekday is the next one
 * @throws WrongUse if the text is neither a day nor a date-time
 */
export async function momentOf(text: string, flag: string, isAhead: boolean, zoneOf: DayZone): Promise<string> {
  const at = text.search(/[T ]\d\d:./i)
  const timeAlone = clockTime.test(text) ? ['today', text] : undefined
  const [typed = '', time] = timeAlone ?? (at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined])
  const [clock = '', seconds] = clockTime.exec(time?.replace(offset, '') ?? '') ?? []
  const hasDay = isDay(typed) || dayByWord(typed, '2026-01-01', isAhead) !== undefined
  if (!hasDay || (time !== undefined && clock === '')) {
    throw new WrongUse(
      `${flag} takes a day (2026-11-30, yesterday, monday, -7d) or a date-time (17:30, 2026-11-30T09:00, with or without Z or +01:00).`,
    )
  }
  const zone = time === undefined ? await zoneOf() : undefined
  const day = dayByWord(typed, todayIn(zone), isAhead) ?? typed
  if (zone !== undefined) return beginningOf(flag === '--to' ? dayAfter(day, 1) : day, zone).toISOString()
  const [zoneTyped] = offset.exec(time ?? '') ?? []
  // RFC 3339 requires seconds
  const shown = `${day}T${clock}${seconds === undefined ? ':00' : ''}`
  return zoneTyped === undefined ? new Date(shown).toISOString() : shown + zoneTyped.toUpperCase()
}
