import { invalid } from '../contract/errors.ts'

interface Dates {
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

/** What is planned is due no earlier than it starts: a check of what was sent, and what it says otherwise. */
export const dueAfterStart = [
  ({ startDate, dueDate }: Dates) => !startDate || !dueDate || startDate <= dueDate,
  'dueDate must not be before startDate',
] as const

/** The same of what an edit makes of it. @throws 422 */
export function refuseIfDueBeforeStart(dates: Dates): void {
  const [holds, otherwise] = dueAfterStart
  if (!holds(dates)) throw invalid({}, [otherwise])
}
