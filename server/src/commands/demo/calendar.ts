const dayMs = 86_400_000

/** The number of working days in the seeded year. */
export const workdays = 260

/**
 * The working days (Monday to Friday) up to yesterday, by number: `workdays - 1` is the last one before today.
 * @returns the midnight (UTC) of a day, in ms; a number can lie outside the year
 */
export function calendarBefore(nowMs: number): (workday: number) => number {
  let last = Math.floor(nowMs / dayMs) - 1
  while (weekday(last) > 4) last--
  return (workday) => {
    const fromMonday = weekday(last) + workday - (workdays - 1)
    const weeks = Math.floor(fromMonday / 5)
    return (last - weekday(last) + weeks * 7 + (fromMonday - weeks * 5)) * dayMs
  }
}

// 1970-01-01 was a Thursday; Monday is 0
const weekday = (day: number) => (day + 3) % 7

/** A calendar day in the format of the database. */
export const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** A date-time in the format of the database. */
export const momentOf = (ms: number) => new Date(ms).toISOString()
