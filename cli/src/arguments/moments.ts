import { WrongUse } from '../problems.ts'
import { beginningOf, type DayZone, dayAfter, dayByWord, isDay, todayIn } from './days.ts'

const offset = /(Z|[+-]\d\d:\d\d)$/i
const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d{1,9})?)?$/

/**
 * The moment that was typed, as the API takes it. A day is the moment at which it begins in the time zone of the organization,
 * for `--to` the moment at which it ends. A time without an offset is of the clock here.
 * @param isAhead whether a weekday is the next one
 * @throws WrongUse of what is no day and no moment
 */
export async function momentOf(text: string, flag: string, isAhead: boolean, zoneOf: DayZone): Promise<string> {
  const at = text.search(/[T ]\d\d:./)
  const [typed, time] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined]
  const [clock = '', seconds] = clockTime.exec(time?.replace(offset, '') ?? '') ?? []
  const hasDay = isDay(typed) || dayByWord(typed, '2026-01-01', isAhead) !== undefined
  if (!hasDay || (time !== undefined && clock === '')) {
    throw new WrongUse(
      `${flag} takes a day (2026-11-30, yesterday, monday, -7d) or a date-time (2026-11-30T09:00, with or without Z or +01:00).`,
    )
  }
  const zone = time === undefined ? await zoneOf() : undefined
  const day = dayByWord(typed, todayIn(zone), isAhead) ?? typed
  if (zone !== undefined) return beginningOf(flag === '--to' ? dayAfter(day, 1) : day, zone).toISOString()
  const [zoneTyped] = offset.exec(time ?? '') ?? []
  // RFC 3339 wants seconds
  const shown = `${day}T${clock}${seconds === undefined ? ':00' : ''}`
  return zoneTyped === undefined ? new Date(shown).toISOString() : shown + zoneTyped.toUpperCase()
}
