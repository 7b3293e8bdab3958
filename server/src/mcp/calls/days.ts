const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const near: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }

const dayMs = 86_400_000

/**
 * The day that `today`, `yesterday`, `tomorrow`, `monday`, `mon`, `-7d`, `+3d` or `7d ago` stands for. `tw` takes the same words
 * in `cli/src/arguments/days.ts`.
 * @param today as 2026-11-30
 * @param isAhead whether a weekday is the next one rather than the last; today is either
 * @returns as 2026-11-30; undefined: the text is none of these
 */
export function dayByWord(text: string, today: string, isAhead: boolean): string | undefined {
  const word = text.toLowerCase()
  const [, ago] = /^(\d{1,4})d ago$/.exec(word) ?? []
  const [, count = ago && `-${ago}`] = /^([+-]\d{1,4})d$/.exec(word) ?? []
  const days = count === undefined ? (Object.hasOwn(near, word) ? near[word] : weekday(word)) : Number(count)
  return days === undefined ? undefined : isoDay(Date.parse(today) + days * dayMs)

  function weekday(name: string): number | undefined {
    const index = weekdays.findIndex((one) => one === name || one.slice(0, 3) === name)
    if (index < 0) return undefined
    const ahead = (index - new Date(today).getUTCDay() + 7) % 7
    return isAhead || ahead === 0 ? ahead : ahead - 7
  }
}

/** Whether a text is a day that the calendar has. */
export function isDay(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(atMs) && isoDay(atMs) === text
}

const isoDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
