import { invalid } from '../contract/errors.ts'
import { Day } from '../contract/fields.ts'
import { evenIfWrong } from '../contract/one-of-two.ts'

// What a day is: `Day` in contract/fields.ts. The tables have the same rule as a CHECK. What is due in a range: tasks/filters.ts.

interface Dates {
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

const isInOrder = ({ startDate, dueDate }: Dates) => !startDate || !dueDate || startDate <= dueDate
const otherwise = 'dueDate must not be before startDate'

/** Nothing is due before it starts, as `refine` of zod takes it. The text of days is in their order. */
export const dueAfterStart = [
  ({ startDate, dueDate }: Dates) =>
    !Day.safeParse(startDate).success || !Day.safeParse(dueDate).success || isInOrder({ startDate, dueDate }),
  { error: otherwise, ...evenIfWrong },
] as const

/** The same test of a row as an edit would leave it. @throws 422 */
export function refuseIfDueBeforeStart(dates: Dates): void {
  if (!isInOrder(dates)) throw invalid({}, [otherwise])
}
