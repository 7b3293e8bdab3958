/** The time zone that days are of, asked for only where a day is typed. */
export type DayZone = () => Promise<string>

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const near: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }

/** Words that stand for a day, as completion offers them. */
export const dayWords: readonly string[] = [...Object.keys(near), ...weekdays]

const dayMs = 86_400_000

/**
 * The day that `today`, `yesterday`, `tomorrow`, `monday`, `mon`, `-7d` or `+3d` stands for.
 * @param today as 2026-11-30
 * @param isAhead whether a weekday is the next one rather than the last; today is either
 * @returns as 2026-11-30; undefined: the text is none of these
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

/** The day some days after another. */
export const dayAfter = (day: string, days: number): string => isoDay(new Date(Date.parse(day) + days * dayMs))

/** Whether a text is a day that the calendar has. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && isoDay(date) === text
}

const isoDay = (date: Date) => date.toISOString().slice(0, 10)

/** The day that it is in a time zone; undefined: that of the clock here. */
export const todayIn = (zone: string | undefined): string => dayIn(zone, new Date())

/** The day that a moment falls on in a time zone. */
export const dayIn = (zone: string | undefined, moment: Date): string => clock(zone, moment).slice(0, 10)

/** The moment at which a day begins in a time zone: where the clocks skip midnight, the first moment that they show. */
export function beginningOf(day: string, zone: string): Date {
  const asUtcMs = Date.parse(`${day}T00:00:00Z`)
  const offsetMs = (atMs: number) => Date.parse(`${clock(zone, new Date(atMs)).replace(' ', 'T')}Z`) - atMs
  // the offset of the day before decides, unless it has changed until then
  const first = asUtcMs - offsetMs(asUtcMs - dayMs)
  const begun = asUtcMs - offsetMs(first)
  return new Date(clock(zone, new Date(begun)) < day ? first : begun)
}

// the Swedish way to write a date is that of ISO 8601
function clock(zone: string | undefined, moment: Date): string {
  const shown = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...shown, timeZone: zone }).format(moment)
}
