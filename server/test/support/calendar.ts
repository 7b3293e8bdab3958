/** Time zones whose clocks are changed in different ways, or stand where few do. */
export const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['America/St_Johns', 'America/Santiago', 'Pacific/Kiritimati', 'Pacific/Apia', 'Pacific/Auckland'],
]
const starts = { monday: 1, sunday: 0, saturday: 6 } as const

/** The calendar day of a moment in a time zone, as UTC midnight. */
export function dayIn(zone: string, ms: number): Date {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, calendar: 'gregory', year: 'numeric', month: 'numeric', day: 'numeric' },
  }).formatToParts(ms)
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value)
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day')))
}

/** Such a day as text. */
export const iso = (day: Date) => day.toISOString().slice(0, 10)

/** The first day of its week. */
export function weekOf(day: Date, weekStart: keyof typeof starts): string {
  const back = (day.getUTCDay() - starts[weekStart] + 7) % 7
  return iso(new Date(day.getTime() - back * 86_400_000))
}

/** Its month. */
export const monthOf = (day: Date) => iso(day).slice(0, 7)
