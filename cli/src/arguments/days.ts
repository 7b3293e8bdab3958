/** Returns the time zone of days. Called only if the user typed a day. */
export type DayZone = () => Promise<string>

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const near: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }

/** Words for a day, offered by completion. */
export const dayWords: readonly string[] = [...Object.keys(near), ...weekdays]

const dayMs = 86_400_000

/**
 * The day of `today`, `yesterday`, `tomorrow`, `monday`, `mon`, `-7d` or `+3d`.
 * @param today as 2026-11-30
 * @param isAhead a weekday is the next one instead of the last; today counts as either
 * @returns as 2026-11-30; undefined if the text is none of these
 */
export function dayByWord(text: string, today: string, isAhead: boolean): string | undefined {
  const word = text.toLowerCase()
  const [, count] = /^([+-]\d{1,4})d$/.exec(word) ?? []
  const days = count === undefined ? (Object.hasOwn(near, word) ? near[word] : weekday(word)) : Number(count)
  return days === undefined ? undefined : dayAfter(today, days)

  function weekday(name: string): number | undefined {
    const index = weekdays.findIndex((one) => one === name || one.slice(0, 3) === name)
    if (index < 0) return undefined
    const ahead = (index - new Date(today).getUTCDay() + 7) % 7
    return isAhead || ahead === 0 ? ahead : ahead - 7
  }
}

/** Adds days to a day. */
export const dayAfter = (day: string, days: number): string => isoDay(new Date(Date.parse(day) + days * dayMs))

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && isoDay(date) === text
}

const isoDay = (date: Date) => date.toISOString().slice(0, 10)

/** The current day in a time zone; undefined for the zone of this machine. */
export const todayIn = (zone: string | undefined): string => dayIn(zone, new Date())

/** The day of a date-time in a time zone. */
export const dayIn = (zone: string | undefined, moment: Date): string => clock(zone, moment).slice(0, 10)

/** The start of a day in a time zone. If the clock skips midnight, it is the first time after the gap. */
export function beginningOf(day: string, zone: string): Date {
  const asUtcMs = Date.parse(`${day}T00:00:00Z`)
  const offsetMs = (atMs: number) => Date.parse(`${clock(zone, new Date(atMs)).replace(' ', 'T')}Z`) - atMs
  // use the offset of the day before, unless it changed before midnight
  const first = asUtcMs - offsetMs(asUtcMs - dayMs)
  const begun = asUtcMs - offsetMs(first)
  return new Date(clock(zone, new Date(begun)) < day ? first : begun)
}

// the Swedish date format is that of ISO 8601
function clock(zone: string | undefined, moment: Date): string {
  const shown = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...shown, timeZone: zone }).format(moment)
}
