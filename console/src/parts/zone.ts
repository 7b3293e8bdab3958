const formats = new Map<string, Intl.DateTimeFormat>()

/** The day (`2026-03-02`) and the minutes since its midnight that the clocks of a zone show at a moment. */
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

/** The day on which a moment lies by the clocks of a zone. */
export const dayIn = (zone: string, moment: Date): string => clockIn(zone, moment).day

const dayMs = 86_400_000

/**
 * The moment at which the clocks of a zone show so many minutes after the midnight of a day; more than a day's are of the days
 * behind it. Of a time that occurs twice it is the first one; one that is left out lies as far behind the leap.
 */
export function momentIn(zone: string, day: string, minutes: number): Date {
  const wanted = Date.parse(day) + Math.round(minutes * 60) * 1_000
  const before = wanted - shiftMs(zone, wanted - dayMs)
  const after = wanted - shiftMs(zone, wanted + dayMs)
  const found = [Math.min(before, after), Math.max(before, after)].find((at) => at + shiftMs(zone, at) === wanted)
  return new Date(found ?? before)
}

/** By how much the clocks of a zone are ahead of UTC at a moment. */
function shiftMs(zone: string, at: number): number {
  const { day, minutes } = clockIn(zone, new Date(at))
  return Date.parse(day) + minutes * 60_000 - Math.floor(at / 60_000) * 60_000
}

/** A day so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const firstDays = { sunday: 0, monday: 1, saturday: 6 }

/** The first day of the week that a day is in. */
export function weekOf(day: string, weekStart: keyof typeof firstDays): string {
  const weekday = new Date(Date.parse(day)).getUTCDay()
  return dayAfter(day, -((weekday - firstDays[weekStart] + 7) % 7))
}

/** Whether a text is a day, such as `2026-03-02`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text
