const formats = new Map<string, Intl.DateTimeFormat>()

/** The day (`2026-03-02`) and the minutes since midnight of a date-time in a time zone. */
export function clockIn(zone: string, moment: Date): { day: string; minutes: number } {
  let format = formats.get(zone)
  if (format === undefined) {
    const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { ...digits, hourCycle: 'h23', timeZone: zone })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const day = `${String(parts.year).padStart(4, '0')}-${parts.month}-${parts.day}`
  return { day, minutes: Number(parts.hour) * 60 + Number(parts.minute) }
}

/** The day of a date-time in a time zone. */
export const dayIn = (zone: string, moment: Date): string => clockIn(zone, moment).day

const dayMs = 86_400_000

/**
 * The date-time at so many minutes after midnight of a day in a time zone; minutes past the end of the day continue on the next
 * days. For a time that occurs twice, it is the first one. A time that the clock skips moves forward by the length of the gap.
 */
export function momentIn(zone: string, day: string, minutes: number): Date {
  const wanted = Date.parse(day) + Math.round(minutes * 60) * 1_000
  const before = wanted - shiftMs(zone, wanted - dayMs)
  const after = wanted - shiftMs(zone, wanted + dayMs)
  const found = [Math.min(before, after), Math.max(before, after)].find((at) => at + shiftMs(zone, at) === wanted)
  return new Date(found ?? before)
}

/** The offset of a time zone from UTC at a time, in ms. */
function shiftMs(zone: string, at: number): number {
  const { day, minutes } = clockIn(zone, new Date(at))
  return Date.parse(day) + minutes * 60_000 - Math.floor(at / 60_000) * 60_000
}

/** Adds days to a day. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const firstDays = { sunday: 0, monday: 1, saturday: 6 }

/** The first day of the week of a day. */
export function weekOf(day: string, weekStart: keyof typeof firstDays): string {
  const weekday = new Date(Date.parse(day)).getUTCDay()
  return dayAfter(day, -((weekday - firstDays[weekStart] + 7) % 7))
}

/** Whether a text is a day, such as `2026-03-02`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text
