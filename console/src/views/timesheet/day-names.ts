import { dayAfter } from '../../parts/zone.ts'

// calendar days: each is midnight UTC, formatted in UTC
const named = (format: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { ...format, timeZone: 'UTC' })
const weekday = named({ weekday: 'short' })
const dayOfMonth = named({ day: 'numeric' })
const long = named({ weekday: 'long', day: 'numeric', month: 'long' })
const range = named({ day: 'numeric', month: 'short', year: 'numeric' })

const date = (day: string) => new Date(`${day}T00:00Z`)

/** `Mon` */
export const weekdayText = (day: string): string => weekday.format(date(day))

/** `23` */
export const dayOfMonthText = (day: string): string => dayOfMonth.format(date(day))

/** `Monday, November 23` */
export const longDayText = (day: string): string => long.format(date(day))

/** `Nov 23 – 29, 2026` @param start the first day of the week */
export const rangeText = (start: string): string => range.formatRange(date(start), date(dayAfter(start, 6)))
