import { words } from '../words.ts'

// the reader's language and time zone, from the browser
const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
const dayOfYearFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const momentFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** A day in the reader's time zone, as `2026-03-02`. @param daysOn days to add */
export function dayOf(moment: Date, daysOn = 0): string {
  const day = new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + daysOn)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** A day (`2026-03-02`) in words: today, tomorrow, Mon 2 Mar, 2 Mar 2025. */
export function dayText(day: string, now: Date = new Date()): string {
  if (day === dayOf(now)) return words.time.today
  if (day === dayOf(now, 1)) return words.time.tomorrow
  if (day === dayOf(now, -1)) return words.time.yesterday
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return (year === now.getFullYear() ? dayFormat : dayOfYearFormat).format(new Date(year, month - 1, date))
}

/** A date-time (RFC 3339) with day and time, in the reader's time zone. */
export const momentText = (moment: string): string => momentFormat.format(new Date(moment))

/** The time of day of a date-time (RFC 3339), in the reader's time zone. */
export const clockText = (moment: string): string => clockFormat.format(new Date(moment))

/** Seconds as in `tw`, exact to the second so that parts add up to their sum: `1h 30m`, `4h 59m 58s`. */
export function durationText(seconds: number): string {
  const { units } = words.time
  const parts = clockParts(seconds).map((count, place) => (count === 0 ? '' : `${count}${units[place]}`))
  return parts.filter(Boolean).join(' ') || `0${units[2]}`
}

/** Seconds for table cells: `1:30`, `4:59:58`. */
export function durationCell(seconds: number): string {
  const [hours = 0, ...others] = clockParts(seconds)
  const shown = others.at(-1) === 0 ? others.slice(0, -1) : others
  return [String(hours), ...shown.map((count) => String(count).padStart(2, '0'))].join(':')
}

const clockParts = (seconds: number) => [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
