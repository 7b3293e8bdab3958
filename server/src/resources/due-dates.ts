import { invalid } from '../contract/errors.ts'

// What a day is: `Day` in contract/fields.ts. The tables have the same rule as a CHECK. What is due in a range: tasks/filters.ts.

interface Dates {
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

/** Nothing is due before it starts: a test of a body and the message of its error, for `refine` of zod. The text of days is in their order. */
export const dueAfterStart = [
  ({ startDate, dueDate }: Dates) => !startDate || !dueDate || startDate <= dueDate,
  'dueDate must not be before startDate',
] as const

/** The same test of a row as an edit would leave it. @throws 422 */
export function refuseIfDueBeforeStart(dates: Dates): void {
  const [holds, otherwise] = dueAfterStart
  if (!holds(dates)) throw invalid({}, [otherwise])
}
